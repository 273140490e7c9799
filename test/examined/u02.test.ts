import {expect, test} from 'vitest'
import {expectAtMostInfo, expectNone, expectOnly, expectSilent, reportOf, unseenOf} from '../support/examined/expect.ts'
import {blockVolume, csi, ebs, healthy} from '../support/examined/healthy.ts'
import {type ExaminedNode, hour, minute, root, without} from '../support/examined/node.ts'
import {job, operationFailed, publishHangs, secondBlockPod} from '../support/examined/pictures.ts'

const devices = `${csi}/volumeDevices`

function timedOut(node: ExaminedNode, age = 130): void {
  publishHangs(node, {age})
  operationFailed(node, age - 120, 'MapVolume.MapPodDevice', 'DeadlineExceeded')
}

function deleted(node: ExaminedNode, seconds: number): void {
  node.forget(job)
  node.remove(`pods/${job}`)
  node.dir('pods', seconds)
}

test('U02 k8s#88086: NodePublishVolume is unanswered for a minute: info', () => {
  const report = expectAtMostInfo(healthy((node) => publishHangs(node)))
  expect(report.findings.map(({code}) => code)).toEqual(['U02'])
  expect(report.findings[0]?.subject).toMatchObject({driver: ebs, handle: 'vol-job'})
})

test('U02 look-alike: a second pod of this node has its own link', () => {
  expectSilent(healthy((node) => secondBlockPod(node)))
})

test('U02 it timed out and the pod was deleted: an unpublish is owed and will be sent', () => {
  const node = healthy((each) => {
    timedOut(each)
    deleted(each, 20)
  })
  expectOnly(node, ['U02', 'warning', {handle: 'vol-job'}])
})

test('U02 the same on 1.17.3, which forgets it: an error', () => {
  const node = healthy((each) => {
    timedOut(each)
    deleted(each, 20)
  })
  node.version = '1.17.3'
  expectOnly(node, ['U02', 'error', {handle: 'vol-job'}])
})

test('U02 the kubelet was restarted since: an error', () => {
  const node = healthy((each) => {
    timedOut(each)
    deleted(each, 20)
    each.says(5, 'I', '"Starting Kubelet Volume Manager"')
  })
  const found = reportOf(node).findings.filter(({severity}) => severity !== 'info')
  expect(found.map(({code, severity}) => `${code} ${severity}`)).toEqual(['U02 error'])
})

test('U02 the answer was INTERNAL, a final one: nothing is owed by the kubelet', () => {
  const node = healthy((each) => {
    publishHangs(each, {age: 30})
    operationFailed(each, 20, 'MapVolume.MapPodDevice', 'Internal')
  })
  expectAtMostInfo(node)
})

test('U02 it was published: the link and the device file are there', () => {
  const node = healthy((each) => {
    publishHangs(each)
    blockVolume(each, job, 'pvc-job', 'vol-job', 5)
    each.changePod(job, {phase: 'Running'})
  })
  expectSilent(node)
})

test('U02 the volume is being undone: NodeUnpublishVolume was answered and NodeUnstageVolume is on its way', () => {
  const node = healthy((each) => {
    publishHangs(each, {age: 10 * minute})
    each.log.pop()
    deleted(each, 3)
    each.says(
      4,
      'I',
      `"kubernetes.io/csi: calling NodeUnpublishVolume rpc" volID="vol-job" targetPath="${root}/${devices}/publish/pvc-job/${job}"`,
    )
    each.says(
      2,
      'I',
      `"kubernetes.io/csi: calling NodeUnstageVolume rpc" volID="vol-job" stagingTargetPath="${root}/${devices}/staging/pvc-job"`,
    )
  })
  expectAtMostInfo(node)
})

test('U02 a filesystem volume of a waiting pod is not U02', () => {
  expectNone(
    healthy((node) => {
      publishHangs(node)
      node.remove(`${devices}/pvc-job`)
      node.remove(`${devices}/staging/pvc-job`)
      node.remove(`${devices}/publish/pvc-job`)
      node.log.pop()
    }),
    'U02',
  )
})

test('U02 the log was not read: at most info while the pod waits', () => {
  expectAtMostInfo(without(healthy((node) => publishHangs(node, {age: 3 * minute})).snapshot(), 'kubelet.log'))
})

test("U02 the kubelet's list is empty while sandboxes run", () => {
  const node = healthy((each) => publishHangs(each, {age: hour}))
  node.pods = []
  const report = reportOf(node)
  expect(report.findings.filter(({code, severity}) => code === 'U02' && severity === 'error')).toEqual([])
  expect(unseenOf(report, 'kubelet.pods')).not.toBe('')
})

test('U02 a staged raw block volume without a publish directory is U01', () => {
  const node = healthy((each) => {
    publishHangs(each)
    each.remove(`${devices}/publish/pvc-job`)
    each.log.pop()
  })
  const report = expectAtMostInfo(node)
  expect(report.findings.map(({code}) => code)).toEqual(['U01'])
})

test('U02 it timed out three hours ago and the pod is gone for two: an error, once', () => {
  const node = healthy((each) => {
    publishHangs(each, {age: 3 * hour})
    operationFailed(each, 3 * hour - 120, 'MapVolume.MapPodDevice', 'DeadlineExceeded')
    deleted(each, 2 * hour)
  })
  expectOnly(node, ['U02', 'error', {handle: 'vol-job'}])
})

// As in U01: a call that the log shows as unanswered is info for ever, while the explanation has an error for a pod that is long gone.
test('U02 the call was three hours ago, the log does not say how it ended, and the pod is gone for two: above info', () => {
  const node = healthy((each) => {
    publishHangs(each, {age: 3 * hour})
    deleted(each, 2 * hour)
  })
  const found = reportOf(node).findings.filter(({severity}) => severity !== 'info')
  expect(found.map(({code}) => code)).toEqual([expect.stringMatching(/^(U02|V04)$/)])
})
