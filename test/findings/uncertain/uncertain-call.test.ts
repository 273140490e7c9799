import {expect, test} from 'vitest'
import {type CallQuestion, callStanding} from '../../../src/findings/uncertain/uncertain-call.ts'
import {profileOf} from '../../../src/kubelet/profiles.ts'
import {traceOf} from '../../../src/kubelet/traces/trace.ts'
import type {KubeletLogLine} from '../../../src/node/kubelet-log.ts'
import {at, logLine} from '../../support/snapshot-builder.ts'

const path = '/k/globalmount'
const stage = logLine(0, 'kubernetes.io/csi: calling NodeStageVolume rpc', {volID: 'h', stagingTargetPath: path})
const ok = logLine(1, `kubernetes.io/csi: attacher.MountDevice successfully requested NodeStageVolume [${path}]`)
const failed = (code: string) =>
  logLine(
    120,
    `Operation for "{volumeName:kubernetes.io/csi/d^h podName: nodeName:}" failed. Error: MountVolume.MountDevice failed for volume "pv" : rpc error: code = ${code} desc = x`,
  )
const unstage = logLine(121, 'kubernetes.io/csi: calling NodeUnstageVolume rpc', {volID: 'h', stagingTargetPath: path})
const unstaged = logLine(122, `kubernetes.io/csi: blockMapper.unstageVolumeForBlock NodeUnstageVolume successfully [${path}]`)
const named = '(UniqueName: "kubernetes.io/csi/d^h")'
const undoing = logLine(121, `operationExecutor.UnmountDevice started for volume "pv" ${named} on node "n1" `)
const mounted = logLine(1, `MountVolume.MountDevice succeeded for volume "pv" ${named} pod "p" (UID: "u") device mount path "/x"`)
const publish = logLine(2, 'kubernetes.io/csi: calling NodePublishVolume rpc', {
  volID: 'h',
  targetPath: '/var/lib/kubelet/pods/u/volumes/x/mount',
})
const early = logLine(
  0,
  'Operation for "{volumeName:kubernetes.io/csi/d^h podName: nodeName:}" failed. Error: MountVolume.MountDevice failed for volume "pv" : driver name d not found',
)
const away = {...failed('Unavailable'), at: at(121)}
const detached = logLine(125, `Volume detached for volume "pv" ${named} on node "n1" DevicePath ""`)
const unpublishing = logLine(61, `operationExecutor.UnmountVolume started for volume "pv" ${named} pod "u" (UID: "u") `)
const restart = logLine(60, 'Starting Kubelet Volume Manager')

const asked: CallQuestion = {
  method: 'NodeStageVolume',
  driver: 'd',
  handle: 'h',
  path,
  podUid: undefined,
  trace: traceOf([stage]),
  profile: profileOf('1.36.2'),
  now: at(20),
  wanted: true,
  notBefore: undefined,
}

interface More extends Partial<CallQuestion> {
  readonly version?: '1.17.3'
  readonly log?: readonly KubeletLogLine[]
}

function standing({version, log = [stage], ...rest}: More) {
  const found = callStanding({...asked, profile: profileOf(version ?? '1.36.2'), trace: traceOf(log), ...rest})
  return found === undefined ? undefined : [found.severity, found.undo]
}

test.each([
  ['a call that runs for 20 s', {}, ['info', 'running']],
  ['a call that runs for 124 s', {now: at(124)}, ['info', 'running']],
  ['a call that runs for 125 s: its end would be in the log, or has scrolled away', {now: at(125)}, ['info', 'unknown']],
  ['the same on 1.17.3', {now: at(125), version: '1.17.3'}, ['info', 'unknown']],
  ['a timeout', {log: [stage, failed('DeadlineExceeded')], now: at(130)}, ['warning', 'owed']],
  ['a timeout on 1.17.3', {log: [stage, failed('DeadlineExceeded')], now: at(130), version: '1.17.3'}, ['error', 'never-sent']],
  ['ABORTED', {log: [stage, failed('Aborted')], now: at(130)}, ['warning', 'owed']],
  [
    'a timeout of a volume that no pod wants any more',
    {log: [stage, failed('DeadlineExceeded')], now: at(130), wanted: false},
    ['warning', 'owed'],
  ],
  [
    'the same, much later',
    {log: [stage, failed('DeadlineExceeded'), logLine(363, 'x')], now: at(363), wanted: false},
    ['error', 'overdue'],
  ],
  ['the same, with a log that ends before', {log: [stage, failed('DeadlineExceeded')], now: at(363), wanted: false}, ['warning', 'owed']],
  ['a timeout whose call was not logged', {log: [failed('DeadlineExceeded')], now: at(130)}, ['warning', 'owed']],
  ['a restart since, with no pod', {log: [stage, restart], now: at(70), wanted: false}, ['error', 'restarted']],
  ['a success before a restart, with no pod', {log: [stage, ok, restart], now: at(70), wanted: false}, ['error', 'restarted']],
  [
    'a timeout, then a driver that is away, and a kubelet that lets go of the volume (#135929)',
    {log: [failed('DeadlineExceeded'), away, detached], now: at(130), wanted: false},
    ['error', 'let-go'],
  ],
  ['the same, and a pod wants the volume again', {log: [failed('DeadlineExceeded'), away, detached], now: at(130)}, ['warning', 'owed']],
  ['a driver that is away, and never was there', {log: [away, detached], now: at(130), wanted: false}, ['warning', 'owed']],
  ['a retry after a timeout', {log: [stage, failed('DeadlineExceeded'), {...stage, at: at(121)}], now: at(130)}, ['info', 'running']],
] as const)('callStanding() of %s', (_what, more, expected) => {
  expect(standing(more)).toEqual(expected)
})

test.each([
  ['a success', {log: [stage, ok]}],
  ['a final answer: no undo is right', {log: [stage, failed('InvalidArgument')], now: at(130)}],
  ['a final answer before a restart', {log: [stage, failed('InvalidArgument'), {...restart, at: at(125)}], now: at(130), wanted: false}],
  ['a timeout that was undone', {log: [stage, failed('DeadlineExceeded'), unstage, unstaged], now: at(130)}],
  ['a timeout whose undoing runs', {log: [stage, failed('DeadlineExceeded'), unstage], now: at(400), wanted: false}],
  [
    'a success before a restart, after which the volume is unpublished',
    {log: [stage, ok, restart, unpublishing], now: at(62), wanted: false},
  ],
  [
    'a timeout that was undone before the kubelet let go',
    {log: [failed('DeadlineExceeded'), undoing, detached], now: at(130), wanted: false},
  ],
  ['a success after a restart whose undoing runs', {log: [stage, ok, restart, unstage], now: at(122), wanted: false}],
  ['an undoing that only its operation shows', {log: [stage, failed('DeadlineExceeded'), undoing], now: at(130)}],
  ['a success that only its operation shows', {log: [mounted], now: at(300)}],
  ['a stage whose end was lost, before a publish', {log: [stage, publish], now: at(300)}],
  ["a failure of the kubelet's own before any call", {log: [early], now: at(1), wanted: false}],
  ['a log that is silent and no pod', {log: [], wanted: false}],
] as const)('callStanding() has nothing to say of %s', (_what, more) => {
  expect(standing(more)).toBeUndefined()
})

test.each([
  ['an unknown age', {log: []}, ['info', 'unknown']],
  ['a pod of 27 s', {log: [], notBefore: at(0), now: at(27)}, ['info', 'running']],
  ['a pod of 3 minutes', {log: [], notBefore: at(0), now: at(180)}, ['info', 'unknown']],
] as const)('callStanding() without the log goes by the directories: %s', (_what, more, expected) => {
  expect(standing(more)).toEqual(expected)
})
