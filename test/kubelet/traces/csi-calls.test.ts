import {expect, test} from 'vitest'
import {csiCalls, kubeletStarts} from '../../../src/kubelet/traces/csi-calls.ts'
import {volumeNames} from '../../../src/kubelet/volumes/volume-names.ts'
import {at, logLine} from '../../support/snapshot-builder.ts'

const staging = '/var/lib/kubelet/plugins/kubernetes.io/csi/d/abc/globalmount'
const target = '/var/lib/kubelet/pods/u1/volumes/kubernetes.io~csi/pv1/mount'

const stage = logLine(0, 'kubernetes.io/csi: calling NodeStageVolume rpc', {volID: 'h1', stagingTargetPath: staging})
const publish = logLine(1, 'kubernetes.io/csi: calling NodePublishVolume rpc', {volID: 'h1', targetPath: target})

function ends(...lines: Parameters<typeof csiCalls>[0]) {
  return csiCalls(lines).map(({method, end}) => [method, end.state, 'code' in end ? end.code : undefined])
}

// The texts are those of kubelets 1.17.3, 1.18.2 and 1.26.5.
test.each([
  ['NodeStageVolume', stage, `kubernetes.io/csi: attacher.MountDevice successfully requested NodeStageVolume [${staging}]`],
  ['NodePublishVolume', publish, `kubernetes.io/csi: mounter.SetUp successfully requested NodePublish [${target}]`],
  [
    'NodePublishVolume',
    publish,
    `kubernetes.io/csi: blockMapper.publishVolumeForBlock successfully requested NodePublishVolume [${target}]`,
  ],
  [
    'NodeUnpublishVolume',
    logLine(2, 'kubernetes.io/csi: calling NodeUnpublishVolume rpc', {volID: 'h1', targetPath: target}),
    `kubernetes.io/csi: blockMapper.unpublishVolumeForBlock NodeUnpublished successfully [${target}]`,
  ],
  [
    'NodeUnpublishVolume',
    logLine(2, `kubernetes.io/csi: calling NodeUnpublishVolume rpc: [volid=h1, target_path=${target}`, {volID: 'h1', targetPath: target}),
    `kubernetes.io/csi: Unmounter.TearDownAt successfully unmounted dir [${target}]`,
  ],
  [
    'NodeUnstageVolume',
    logLine(3, 'kubernetes.io/csi: calling NodeUnstageVolume rpc', {volID: 'h1', stagingTargetPath: staging}),
    `kubernetes.io/csi: blockMapper.unstageVolumeForBlock NodeUnstageVolume successfully [${staging}]`,
  ],
])('csiCalls() sees that %s was answered', (method, begun, answer) => {
  expect(csiCalls([begun, logLine(5, answer)])).toEqual([expect.objectContaining({method, handle: 'h1', end: {state: 'ok', at: at(5)}})])
})

test('csiCalls() reads the text form of older kubelets', () => {
  const line = logLine(0, `kubernetes.io/csi: calling NodeStageVolume rpc [volid=h1,staging_target_path=${staging}]`)
  expect(csiCalls([line])).toEqual([
    {method: 'NodeStageVolume', driver: 'd', handle: 'h1', path: staging, startedAt: at(0), isBeginKnown: true, end: {state: 'open'}},
  ])
})

test('csiCalls() leaves a call without an answer open', () => {
  expect(ends(stage)).toEqual([['NodeStageVolume', 'open', undefined]])
})

test('csiCalls() takes the code and the next try from the failed operation', () => {
  const failed = logLine(
    120,
    'Operation for "{volumeName:kubernetes.io/csi/d^h1 podName: nodeName:}" failed. No retries permitted until 2026-11-30 03:02:00.912345678 +0000 UTC m=+421.1 (durationBeforeRetry 500ms). Error: MountVolume.MountDevice failed for volume "pv1" (UniqueName: "kubernetes.io/csi/d^h1") pod "web-0" (UID: "u1") : rpc error: code = DeadlineExceeded desc = context deadline exceeded',
  )
  expect(csiCalls([stage, failed])[0]?.end).toEqual({state: 'failed', at: at(120), code: 'DeadlineExceeded', retryAt: at(120) + 912})
})

test.each([
  [true, [stage]],
  [false, []],
])('csiCalls() knows when a call that failed began, %s, with the line of its begin or without', (known, before) => {
  const failed = logLine(
    120,
    'Operation for "{volumeName:kubernetes.io/csi/d^h1 podName: nodeName:}" failed. No retries permitted until later. Error: MountVolume.MountDevice failed for volume "pv1" : rpc error: code = DeadlineExceeded desc = x',
  )
  expect(csiCalls([...before, failed])).toEqual([
    expect.objectContaining({isBeginKnown: known, startedAt: at(known ? 0 : 120), end: expect.objectContaining({at: at(120)})}),
  ])
})

test('csiCalls() reads the operation key of 1.17', () => {
  const failed = logLine(
    120,
    'Operation for "\\"kubernetes.io/csi/d^h1\\"" failed. No retries permitted until later. Error: "MountVolume.MountDevice failed for volume \\"pv1\\": rpc error: code = DeadlineExceeded desc = x"',
  )
  expect(ends(stage, failed)).toEqual([['NodeStageVolume', 'failed', 'DeadlineExceeded']])
})

test.each([
  ['MountVolume.SetUp failed for volume "pv1" : mounter.SetUpAt failed to check for STAGE_UNSTAGE_VOLUME capability'],
  ['MapVolume.SetUpDevice failed for volume "pv1" : blockMapper.stageVolumeForBlock failed to check STAGE_UNSTAGE_VOLUME capability'],
])('csiCalls() has no call that failed when the driver could not be asked what it can: %s', (text) => {
  const failed = logLine(
    120,
    `Operation for "{volumeName:kubernetes.io/csi/d^h1 podName: nodeName:}" failed. Error: ${text}: rpc error: code = Unavailable desc = x`,
  )
  expect(csiCalls([failed])).toEqual([])
})

test('csiCalls() knows the pod of a failure whose error is in quotes, as up to 1.21', () => {
  const failed = logLine(
    120,
    'Operation for "{volumeName:kubernetes.io/csi/d^h1 podName: nodeName:}" failed. Error: "MountVolume.SetUp failed for volume \\"pv1\\" (UniqueName: \\"kubernetes.io/csi/d^h1\\") pod \\"web\\" (UID: \\"u1\\") : rpc error: code = DeadlineExceeded desc = x"',
  )
  expect(csiCalls([failed])).toMatchObject([{method: 'NodePublishVolume', podUid: 'u1', end: {code: 'DeadlineExceeded'}}])
})

test('csiCalls() does not let the failure of one volume end the call of another', () => {
  const failed = logLine(
    9,
    'Operation for "{volumeName:kubernetes.io/csi/d^h2 podName: nodeName:}" failed. Error: MountVolume.MountDevice failed for volume "pv2" : rpc error: code = Internal desc = x',
  )
  expect(ends(stage, failed)).toEqual([
    ['NodeStageVolume', 'open', undefined],
    ['NodeStageVolume', 'failed', 'Internal'],
  ])
})

test('csiCalls() keeps two drivers with the same handle apart', () => {
  const other = logLine(
    9,
    'Operation for "{volumeName:kubernetes.io/csi/other^h1 podName: nodeName:}" failed. Error: MountVolume.MountDevice failed for volume "pv2" : rpc error: code = DeadlineExceeded desc = x',
  )
  expect(csiCalls([stage, other]).map(({driver, end}) => [driver, end.state])).toEqual([
    ['d', 'open'],
    ['other', 'failed'],
  ])
})

test('csiCalls() keeps two pods of the same volume apart', () => {
  const second = logLine(2, 'kubernetes.io/csi: calling NodePublishVolume rpc', {volID: 'h1', targetPath: target.replace('/u1/', '/u2/')})
  const done = logLine(3, 'MountVolume.SetUp succeeded for volume "pv1" (UniqueName: "kubernetes.io/csi/d^h1") pod "a" (UID: "u1") ')
  expect(csiCalls([publish, second, done]).map(({podUid, end}) => [podUid, end.state])).toEqual([
    ['u1', 'ok'],
    ['u2', 'open'],
  ])
})

test('csiCalls() takes the end of an operation for its call where calls are not logged', () => {
  const done = logLine(
    3,
    'MountVolume.MountDevice succeeded for volume "pv1" (UniqueName: "kubernetes.io/csi/d^h1") pod "a" (UID: "u1") device mount path "/x"',
  )
  const undoing = logLine(
    9,
    'operationExecutor.UnmountDevice started for volume "pv1" (UniqueName: "kubernetes.io/csi/d^h1") on node "n1" ',
  )
  expect(ends(done, undoing)).toEqual([
    ['NodeStageVolume', 'ok', undefined],
    ['NodeUnstageVolume', 'open', undefined],
  ])
})

test.each([
  ['Operation for "{volumeName:kubernetes.io/csi/'.repeat(20_000) + ' podName:'.repeat(20_000)],
  ['successfully requested NodeStageVolume ['.repeat(30_000)],
  ['for volume "a" (UniqueName: "kubernetes.io/csi/b^'.repeat(20_000)],
])('csiCalls() and volumeNames() are done at once with a line that somebody made up: %#', (message) => {
  const before = process.cpuUsage()
  const lines = Array.from({length: 20}, () => logLine(0, message))
  csiCalls(lines)
  volumeNames(lines)
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(1000)
})

test('csiCalls() takes no more than its share of time for each of many open calls', () => {
  const lines = Array.from({length: 40_000}, (_, index) => [
    logLine(index, 'kubernetes.io/csi: calling NodeStageVolume rpc', {volID: `h${index}`, stagingTargetPath: `/s/${index}`}),
    logLine(index, `kubernetes.io/csi: attacher.MountDevice successfully requested NodeStageVolume [/t/${index}]`),
  ]).flat()
  const before = process.cpuUsage()
  expect(csiCalls(lines)).toHaveLength(40_000)
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(2000)
})

test('csiCalls() keeps a retry apart from the call before it', () => {
  const failed = logLine(
    120,
    'Operation for "{volumeName:kubernetes.io/csi/d^h1 podName: nodeName:}" failed. Error: MountVolume.MountDevice failed for volume "pv1" : rpc error: code = DeadlineExceeded desc = x',
  )
  const again = {...stage, at: at(121)}
  expect(ends(stage, failed, again)).toEqual([
    ['NodeStageVolume', 'failed', 'DeadlineExceeded'],
    ['NodeStageVolume', 'open', undefined],
  ])
})

test('kubeletStarts() gives the moments at which the volume manager started', () => {
  expect(kubeletStarts([stage, logLine(7, 'Starting Kubelet Volume Manager')])).toEqual([at(7)])
})

test('volumeNames() ties a handle to its PersistentVolume and pod', () => {
  const line = logLine(
    0,
    'Starting operationExecutor.MountVolume for volume "pv1" (UniqueName: "kubernetes.io/csi/d^h^1#x") pod "web-0" (UID: "u1") ',
  )
  expect(volumeNames([line, line])).toEqual([{specName: 'pv1', driver: 'd', handle: 'h^1#x', podUid: 'u1'}])
})

test("volumeNames() leaves out an unmount's line, which bears the pod's own name of the volume", () => {
  const line = logLine(
    0,
    'operationExecutor.UnmountVolume started for volume "data" (UniqueName: "kubernetes.io/csi/d^h1") pod "u1" (UID: "u1") ',
  )
  expect(volumeNames([line])).toEqual([])
})
