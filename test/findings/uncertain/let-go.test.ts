import {expect, test} from 'vitest'
import {letGoAt} from '../../../src/findings/uncertain/let-go.ts'
import {traceOf} from '../../../src/kubelet/traces/trace.ts'
import {at, logLine} from '../../support/snapshot-builder.ts'

const named = '(UniqueName: "kubernetes.io/csi/d^h")'
const failed = (seconds: number, code: string, before = '') =>
  logLine(
    seconds,
    `Operation for "{volumeName:kubernetes.io/csi/d^h podName: nodeName:}" failed. Error: MapVolume.SetUpDevice failed for volume "pv" ${named} pod "p" (UID: "u") : ${before}rpc error: code = ${code} desc = x`,
  )
const timedOut = failed(120, 'DeadlineExceeded')
const away = failed(121, 'Unavailable', 'blockMapper.stageVolumeForBlock failed to check STAGE_UNSTAGE_VOLUME capability: ')
const staged = logLine(122, `MountVolume.MountDevice succeeded for volume "pv" ${named} pod "p" (UID: "u") device mount path "/x"`)
const undoing = logLine(123, `operationExecutor.UnmountDevice started for volume "pv" ${named} on node "n1"`)
const detached = logLine(125, `Volume detached for volume "pv" ${named} on node "n1" DevicePath ""`)
const earlier = {...detached, at: at(60)}
const another = logLine(125, 'Volume detached for volume "pv" (UniqueName: "kubernetes.io/csi/other^h") on node "n1" DevicePath ""')

const letGo = (...log: Parameters<typeof traceOf>[0]) => letGoAt(traceOf(log), {driver: 'd', handle: 'h'})

test.each([
  ['after a timeout and an error before the next call', [timedOut, away, detached]],
  ['after a timeout alone, as kubelets up to 1.17', [timedOut, detached]],
  ['though it had let go of it once before', [earlier, timedOut, away, detached]],
])('letGoAt() tells when the kubelet let go of a volume %s', (_, log) => {
  expect(letGo(...log)).toBe(at(125))
})

test.each([
  ['that it still has', [timedOut, away]],
  ['that it undoes first', [timedOut, undoing, detached]],
  ['that was staged after all', [timedOut, staged, detached]],
  ['that no call ever got through for', [away, detached]],
  ['of another driver', [timedOut, away, another]],
  ['that it let go of before', [earlier, timedOut]],
])('letGoAt() tells nothing of a volume %s', (_, log) => {
  expect(letGo(...log)).toBeUndefined()
})
