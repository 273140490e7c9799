import {expect, test} from 'vitest'
import {detect} from '../../src/findings/detect.ts'
import {detectors} from '../../src/findings/detectors.ts'
import {profileOf} from '../../src/kubelet/profiles.ts'
import type {KubeletLogLine} from '../../src/node/kubelet-log.ts'
import {stagingDir} from '../../src/node/layout.ts'
import type {Pod} from '../../src/node/pod.ts'
import {at, logLine, type SnapshotParts, snapshotOf, start, waitingPod} from '../support/snapshot-builder.ts'

const driver = 'd.example'
const root = '/var/lib/kubelet'
const folder = stagingDir(driver, 'h1')
const staged: SnapshotParts = {
  files: [`${folder}/globalmount/`],
  volData: {[`${folder}/vol_data.json`]: {driverName: driver, volumeHandle: 'h1'}},
}
const devices = 'plugins/kubernetes.io/csi/volumeDevices'
const mounting = (uid: string) =>
  logLine(
    0,
    `Starting operationExecutor.MountVolume for volume "pv1" (UniqueName: "kubernetes.io/csi/${driver}^h1") pod "p" (UID: "${uid}") `,
  )
const calling = logLine(1, 'kubernetes.io/csi: calling NodeStageVolume rpc', {
  volID: 'h1',
  stagingTargetPath: `${root}/${folder}/globalmount`,
})
const timeout = logLine(
  121,
  `Operation for "{volumeName:kubernetes.io/csi/${driver}^h1 podName: nodeName:}" failed. Error: MountVolume.MountDevice failed for volume "pv1" : rpc error: code = DeadlineExceeded desc = x`,
)

function found(parts: SnapshotParts, pods: readonly Pod[], log?: readonly KubeletLogLine[], version: '1.17.3' | '1.36.2' = '1.36.2') {
  const sources = {'kubelet.pods': pods, ...(log === undefined ? {} : {'kubelet.log': log})}
  const snapshot = snapshotOf({...parts, sources: {...parts.sources, ...sources}})
  return detect(snapshot, profileOf(version), detectors).findings
}

const brief = (findings: ReturnType<typeof found>) =>
  findings.map(({code, severity, subject}) => [code, severity, subject.name ?? subject.handle, subject.pod])

test('U01 names every pod that may be meant when nothing ties one to the volume', () => {
  const [finding] = found({...staged, seconds: 20}, [waitingPod('a', 'ua', ['pvc-a']), waitingPod('b', 'ub', ['pvc-b'])])
  expect(finding?.subject.pod).toBeUndefined()
  expect(finding?.message).toContain('perhaps for default/a, default/b')
})

test('U01 does not suspect a pod whose claims are all accounted for', () => {
  const pods = [waitingPod('a', 'ua', [])]
  expect(found(staged, pods)).toEqual([])
})

test('U01 is silent about a staging directory when every pod runs: a stranded one is another finding', () => {
  const running = waitingPod('a', 'ua', ['pvc-a'], {phase: 'Running', containers: [{name: 'app', state: 'running'}]})
  expect(found({...staged, seconds: 900}, [running])).toEqual([])
})

test('U01 is silent when the kubelet has an empty list of pods, as it has right after its start', () => {
  expect(found({...staged, seconds: 900}, [])).toEqual([])
})

test('U01 takes the pod that the log names, not another one that waits', () => {
  const pods = [waitingPod('a', 'ua', ['pvc-a']), waitingPod('b', 'ub', ['pvc-b'])]
  expect(brief(found({...staged, seconds: 20}, pods, [mounting('ub'), calling]))).toEqual([['U01', 'info', 'pv1', 'b']])
})

test('U01 counts from the directory when it is younger than the pod', () => {
  const snapshot = snapshotOf({...staged, seconds: 600, sources: {'kubelet.pods': [waitingPod('a', 'ua', ['pvc-a'])]}})
  const entries = snapshot.readings['disk.entries']
  if (entries.state !== 'read') throw new Error('unreachable')
  const dated = entries.value.map((entry) => (entry.path.endsWith('vol_data.json') ? {...entry, modifiedAt: at(500)} : entry))
  const later = {...snapshot, readings: {...snapshot.readings, 'disk.entries': {state: 'read', value: dated} as const}}
  expect(detect(later, profileOf('1.36.2'), detectors).findings.map(({severity}) => severity)).toEqual(['info'])
  expect(detect(snapshot, profileOf('1.36.2'), detectors).findings.map(({severity}) => severity)).toEqual(['warning'])
})

test('U01 reports from the log alone what 1.17.3 leaves behind: it removes the directories and forgets the volume', () => {
  const findings = found({files: ['pods/'], seconds: 200}, [], [mounting('ua'), calling, timeout], '1.17.3')
  expect(brief(findings)).toEqual([['U01', 'error', 'pv1', undefined]])
  expect(findings[0]?.message).toContain('which kubelet 1.17.3 never sends')
})

test('U01 does not trust an unanswered call in the log when the disk shows nothing of it: the answer may have scrolled away', () => {
  expect(found({files: ['pods/'], seconds: 900}, [], [mounting('ua'), calling])).toEqual([])
})

test('U01 cannot be looked for on 1.17.3 without the log', () => {
  const snapshot = snapshotOf({...staged, sources: {'kubelet.pods': [waitingPod('a', 'ua', ['pvc-a'])]}})
  const {looked} = detect(snapshot, profileOf('1.17.3'), detectors)
  expect(looked).toContain('U02')
  expect(looked).not.toContain('U01')
})

test('U02 finds a publish directory without the link of its pod, and a staged block volume is U01', () => {
  const data = {[`${devices}/pv1/data/vol_data.json`]: {driverName: driver, volumeHandle: 'h1'}}
  const pod = waitingPod('a', 'ua', ['pvc-a'])
  const publishing = {files: [`${devices}/staging/pv1/`, `${devices}/publish/pv1/`], volData: data, seconds: 20}
  expect(brief(found(publishing, [pod]))).toEqual([['U02', 'info', 'pv1', 'a']])
  const staging = {files: [`${devices}/staging/pv1/`], volData: data, seconds: 20}
  expect(brief(found(staging, [pod]))).toEqual([['U01', 'info', 'pv1', 'a']])
})

test('U02 is silent while a block volume is being undone: nobody waits for it', () => {
  const parts = {files: [`${devices}/staging/pv1/`, `${devices}/publish/pv1/`], volData: {}, seconds: 900}
  expect(found(parts, [waitingPod('x', 'ux', [])])).toEqual([])
})

test('U01 says since when: the pod was made at the start of the test', () => {
  const pod = waitingPod('a', 'ua', ['pvc-a'])
  expect(pod.createdAt).toBe(start)
  expect(found({...staged, seconds: 124}, [pod])[0]?.severity).toBe('info')
  expect(found({...staged, seconds: 125}, [pod])[0]?.severity).toBe('warning')
})
