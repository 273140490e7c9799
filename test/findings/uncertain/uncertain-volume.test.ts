import {expect, test} from 'vitest'
import {detect} from '../../../src/findings/detect.ts'
import {detectors} from '../../../src/findings/detectors.ts'
import {profileOf} from '../../../src/kubelet/profiles.ts'
import type {KubeletLogLine} from '../../../src/node/kubelet-log.ts'
import {stagingDir} from '../../../src/node/layout.ts'
import type {Pod} from '../../../src/node/pod.ts'
import {at, logLine, type SnapshotParts, sandboxOf, snapshotOf, start, waitingPod} from '../../support/snapshot-builder.ts'

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

const runningPod = waitingPod('r', 'ur', [], {phase: 'Running', containers: [{name: 'app', kind: 'regular', state: 'running'}]})

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
  const running = waitingPod('a', 'ua', ['pvc-a'], {phase: 'Running', containers: [{name: 'app', kind: 'regular', state: 'running'}]})
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
  expect(detect(later, profileOf('1.36.2'), detectors).findings[0]?.next).toContain('The kubelet gives up')
  expect(detect(snapshot, profileOf('1.36.2'), detectors).findings[0]?.next).toContain('Nothing that was seen says how it ended')
})

test('U01 reports from the log alone what 1.17.3 leaves behind: it removes the directories and forgets the volume', () => {
  const findings = found({files: ['pods/'], seconds: 200}, [runningPod], [mounting('ua'), calling, timeout], '1.17.3')
  expect(brief(findings)).toEqual([['U01', 'error', 'pv1', undefined]])
  expect(findings[0]?.next).toContain('which kubelet 1.17.3 never sends')
})

test('U01 does not trust an unanswered call in the log when the disk shows nothing of it: the answer may have scrolled away', () => {
  expect(found({files: ['pods/'], seconds: 900}, [runningPod], [mounting('ua'), calling])).toEqual([])
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
  const publishing = {files: [`${devices}/staging/pv1/`, `${devices}/publish/pv1/ua`], volData: data, seconds: 20}
  expect(brief(found(publishing, [pod]))).toEqual([['U02', 'info', 'pv1', 'a']])
  const staging = {files: [`${devices}/staging/pv1/`], volData: data, seconds: 20}
  expect(brief(found(staging, [pod]))).toEqual([['U01', 'info', 'pv1', undefined]])
})

test('U02 is silent while a block volume is being undone: nobody waits for it', () => {
  const parts = {files: [`${devices}/staging/pv1/`, `${devices}/publish/pv1/`], volData: {}, seconds: 900}
  expect(found(parts, [waitingPod('x', 'ux', [])])).toEqual([])
})

test('U01 says since when: the pod was made at the start of the test', () => {
  const pod = waitingPod('a', 'ua', ['pvc-a'])
  expect(pod.createdAt).toBe(start)
  expect(found({...staged, seconds: 124}, [pod])[0]?.next).toContain('The kubelet gives up')
  expect(found({...staged, seconds: 125}, [pod])[0]?.next).toContain('Nothing that was seen says how it ended')
})

// What a person found who tried to raise false alarms.
const named = `(UniqueName: "kubernetes.io/csi/${driver}^h1")`
const mounted = logLine(1, `MountVolume.MountDevice succeeded for volume "pv1" ${named} pod "p" (UID: "ua") device mount path "/x"`)
const publishFails = logLine(
  900,
  `Operation for "{volumeName:kubernetes.io/csi/${driver}^h1 podName:ua nodeName:}" failed. Error: MountVolume.SetUp failed for volume "pv1" ${named} pod "p" (UID: "ua") : rpc error: code = Internal desc = x`,
)
const restarted = logLine(300, 'Starting Kubelet Volume Manager')
const unstaging = logLine(400, 'kubernetes.io/csi: calling NodeUnstageVolume rpc', {
  volID: 'h1',
  stagingTargetPath: `${root}/${folder}/globalmount`,
})
const waiting = waitingPod('a', 'ua', ['pvc-a'])

test.each([
  ['a publish that fails for good, at the usual log level', staged, [waiting], [mounting('ua'), mounted, publishFails]],
  ['an undoing that runs after a restart', staged, [runningPod], [calling, mounted, restarted, unstaging]],
  [
    'an undoing at the usual log level',
    staged,
    [waiting],
    [mounted, logLine(890, `operationExecutor.UnmountDevice started for volume "pv1" ${named} on node "n1" `)],
  ],
  [
    'a pod that runs, whose vol_data.json is unreadable, after a restart',
    {...staged, files: [...(staged.files ?? []), 'pods/ua/volumes/kubernetes.io~csi/pv1/mount/']},
    [waitingPod('a', 'ua', ['pvc-a'], {phase: 'Running', containers: [{name: 'app', kind: 'regular', state: 'running'}]})],
    [mounting('ua'), calling, mounted, restarted],
  ],
  [
    'a block volume whose pod has its link and whose data is unreadable',
    {files: [`${devices}/staging/pv1/`, `${devices}/publish/pv1/ua`, 'pods/ua/volumeDevices/kubernetes.io~csi/pv1'], volData: {}},
    [waiting],
    [restarted],
  ],
  [
    'lines that were lost, before a publish',
    staged,
    [waiting],
    [
      mounting('ua'),
      calling,
      logLine(3, 'kubernetes.io/csi: calling NodePublishVolume rpc', {
        volID: 'h1',
        targetPath: `${root}/pods/ua/volumes/kubernetes.io~csi/pv1/mount`,
      }),
    ],
  ],
] as const)('U01 and U02 are silent about %s', (_what, parts, pods, log) => {
  expect(found({...parts, seconds: 900}, pods, log).filter(({code}) => code.startsWith('U'))).toEqual([])
})

test('U01 does not make an unrelated pod its subject: nothing ties it to the volume', () => {
  const [finding] = found({...staged, seconds: 900}, [waiting])
  expect([finding?.severity, finding?.subject.pod]).toEqual(['info', undefined])
})

test('U01 is not looked for when the kubelet has just started and only the runtime knows pods', () => {
  const snapshot = snapshotOf({...staged, sources: {'kubelet.pods': [], 'runtime.sandboxes': [sandboxOf('p', 'ua')]}})
  expect(detect(snapshot, profileOf('1.36.2'), detectors).looked).toEqual([])
})

test("U01 takes the API server's pods of this node, and no others, when the kubelet has none yet", () => {
  const sources = {
    'kubelet.pods': [],
    'runtime.sandboxes': [sandboxOf('p', 'ux')],
    'api.pods': [
      waitingPod('a', 'ua', ['pvc-a'], {nodeName: 'n1'}),
      waitingPod('b', 'ub', ['pvc-b'], {nodeName: 'n2'}),
      waitingPod('c', 'uc', ['pvc-c']),
    ],
    'kubelet.log': [mounting('ua'), calling, restarted],
  }
  const {findings} = detect(snapshotOf({...staged, sources, seconds: 310}), profileOf('1.36.2'), detectors)
  expect(brief(findings)).toEqual([['U01', 'info', 'pv1', 'a']])
})

test('U01 keeps two drivers with the same handle apart', () => {
  const other = stagingDir('other.example', 'h1')
  const parts = {
    files: [`${folder}/globalmount/`, `${other}/globalmount/`, 'pods/ua/volumes/kubernetes.io~csi/pv1/mount/'],
    volData: {
      [`${folder}/vol_data.json`]: {driverName: driver, volumeHandle: 'h1'},
      [`${other}/vol_data.json`]: {driverName: 'other.example', volumeHandle: 'h1'},
      'pods/ua/volumes/kubernetes.io~csi/pv1/vol_data.json': {driverName: driver, volumeHandle: 'h1'},
    },
  }
  const log = [
    logLine(
      0,
      'Starting operationExecutor.MountVolume for volume "pv2" (UniqueName: "kubernetes.io/csi/other.example^h1") pod "b" (UID: "ub") ',
    ),
    logLine(
      121,
      'Operation for "{volumeName:kubernetes.io/csi/other.example^h1 podName: nodeName:}" failed. Error: MountVolume.MountDevice failed for volume "pv2" : rpc error: code = DeadlineExceeded desc = x',
    ),
  ]
  const findings = found({...parts, seconds: 130}, [runningPod, waitingPod('b', 'ub', ['pvc-b'])], log)
  expect(findings.map(({subject}) => subject)).toEqual([expect.objectContaining({name: 'pv2', driver: 'other.example', pod: 'b'})])
})

test('U01 forgets what the log says of the time before the boot', () => {
  const sources = {'kubelet.pods': [runningPod], 'kubelet.log': [mounting('ua'), calling, timeout], 'kernel.boot': {id: 'b', at: at(500)}}
  expect(detect(snapshotOf({files: ['pods/'], sources, seconds: 600}), profileOf('1.17.3'), detectors).findings).toEqual([])
})
