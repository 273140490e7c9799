import {expect, test} from 'vitest'
import {expectAtMostInfo, expectNone, expectOnly, expectSilent, pathsIn, reportOf, unseenOf} from '../support/examined/expect.ts'
import {blockRecord, blockVolume, csi, db, ebs, gone, healthy, uniqueName} from '../support/examined/healthy.ts'
import {ago, hour, minute, root, without} from '../support/examined/node.ts'
import {deviceLeft, job, secondBlockPod, terminating} from '../support/examined/pictures.ts'

const devices = `${csi}/volumeDevices`
const loopOf = (backingFile: string) => [
  {device: '254:0', name: 'vda'},
  {device: '8:16', name: 'sdb'},
  {device: '8:48', name: 'sdd'},
  {device: '7:1', name: 'loop1', backingFile},
]

test('V11 k8s#99677: the device is still referenced from a pod that is gone', () => {
  const report = expectOnly(
    healthy((node) => deviceLeft(node)),
    ['V11', 'error', {handle: 'vol-db', podUid: gone}],
  )
  expect(pathsIn(report, 'V11')).toContain(`${root}/${devices}/pvc-db/dev/${gone}`)
})

test('V11 look-alike: a second pod of this node has the volume, too', () => {
  expectSilent(healthy((node) => secondBlockPod(node)))
})

test('V11 the file changed 5 minutes ago: at most info', () => {
  expectAtMostInfo(healthy((node) => deviceLeft(node, 5 * minute)))
})

test('V11 nobody knows how long ago the file changed: at most info', () => {
  expectAtMostInfo(healthy((node) => deviceLeft(node, null)))
})

test('V11 the runtime still has the sandbox of the pod', () => {
  expectNone(
    healthy((node) => {
      deviceLeft(node)
      node.runs('last-0', gone, {ready: false})
    }),
    'V11',
  )
})

test('V11 the pod is being deleted', () => {
  expectAtMostInfo(healthy((node) => terminating(node, db, 20)))
})

test('V11 an empty dev directory beside a staging that is being undone', () => {
  const node = healthy((each) => {
    each.forget(db)
    each.remove(`pods/${db}`)
    each.remove(`${devices}/pvc-db/dev/${db}`)
    each.remove(`${devices}/publish/pvc-db/${db}`)
    each.mounts = each.mounts.filter((line) => !line.includes(db))
    each.devices = each.devices.filter(({name}) => name !== 'loop1')
    for (const dir of [`${devices}/pvc-db/dev`, `${devices}/publish/pvc-db`, `pods`]) each.dir(dir, 3)
    each.says(
      2,
      'I',
      `"kubernetes.io/csi: calling NodeUnstageVolume rpc" volID="vol-db" stagingTargetPath="${root}/${devices}/staging/pvc-db"`,
    )
  })
  expectAtMostInfo(node)
})

test('V11 a publish path that is one file a volume, as older kubelets made it', () => {
  const node = healthy((each) => {
    each.remove(`${devices}/publish/pvc-db`)
    each.unmount(`${devices}/publish/pvc-db/${db}`)
    each.put(`${devices}/publish/pvc-db`, 'block')
    each.mount(`${devices}/publish/pvc-db`, {device: '0:6', sub: '/sdd', fsType: 'devtmpfs', source: 'devtmpfs'})
  })
  expectAtMostInfo(node)
})

test('V11 vsphere-csi-driver#338: the source of the mount is the word udev', () => {
  const node = healthy()
  node.mounts = node.mounts.map((line) => line.replace('- devtmpfs devtmpfs', '- devtmpfs udev'))
  expectSilent(node)
})

test('V11 k8s#109132: the device vanished under a pod, and its loop device holds a deleted file', () => {
  const node = healthy((each) => {
    each.devices = loopOf(`${root}/${devices}/pvc-db/dev/${db} (deleted)`)
  })
  expectOnly(node, ['V11', 'error', {handle: 'vol-db'}])
})

test('V11 k8s#109132: the loop device holds `/ (deleted)`, and no volume can be told of it', () => {
  const node = healthy((each) => {
    each.devices = loopOf('/ (deleted)')
  })
  const {findings} = reportOf(node)
  expect(findings.filter(({severity}) => severity === 'critical' || severity === 'error').map(({code}) => code)).toEqual([])
})

test('V11 a loop device of somebody else holds a deleted file', () => {
  const node = healthy((each) => each.devices.push({device: '7:9', name: 'loop9', backingFile: '/var/lib/snapd/snaps/core.snap (deleted)'}))
  expectSilent(node)
})

// The kubelet detaches the loop device, which the kernel puts off while somebody has it open, then removes dev/<pod> (kubelet-behaviour.md,
// 5.7, 7). The dev directory changed a second ago: `explain V11` says info, it is an error.
test('V11 the loop device of a pod that is being deleted right now', () => {
  const node = healthy((each) => {
    terminating(each, db, 5)
    each.devices = loopOf(`${root}/${devices}/pvc-db/dev/${db} (deleted)`)
    each.remove(`${devices}/pvc-db/dev/${db}`)
    each.unmount(`${devices}/pvc-db/dev/${db}`)
    each.dir(`${devices}/pvc-db/dev`, 1)
  })
  expectAtMostInfo(node)
})

test("V11 the kubelet's list is empty while sandboxes run", () => {
  const node = healthy((each) => deviceLeft(each))
  node.pods = []
  const report = expectNone(node, 'V11')
  expect(unseenOf(report, 'kubelet.pods')).not.toBe('')
})

test('V11 the pod that waits for the volume is U02', () => {
  const node = healthy((each) => {
    each.pod('job-0', job, ['work'], {phase: 'Pending', createdAt: ago(minute), containers: []})
    each.record(`${devices}/pvc-job/data/vol_data.json`, blockRecord('pvc-job', 'vol-job'), minute)
    each.dir(`${devices}/staging/pvc-job`, minute)
    each.put(`${devices}/publish/pvc-job/${job}`, 'file', minute)
  })
  expectNone(node, 'V11')
})

test.each(['pvc raw', "it's", '$(x)', 'ü'])('V11 the PV is named %j: each path is one word', (spec) => {
  const node = healthy((each) => {
    each.inUse.push(uniqueName('vol-raw'))
    each.pod('raw-0', job, ['raw'])
    each.runs('raw-0', job)
    blockVolume(each, job, spec, 'vol-raw')
    each.put(`${devices}/${spec}/dev/${gone}`, 'block', hour)
    each.mount(`${devices}/${spec}/dev/${gone}`, {device: '0:6', sub: '/sdd', fsType: 'devtmpfs', source: 'devtmpfs'})
  })
  const report = expectOnly(node, ['V11', 'error', {driver: ebs, handle: 'vol-raw'}])
  for (const path of pathsIn(report, 'V11')) if (path.startsWith(root)) expect(path).toContain(`/${spec}/`)
})

test('V11 a published file is left of a pod that is gone, in the publish directory', () => {
  const path = `${devices}/publish/pvc-db/${gone}`
  const node = healthy((each) => {
    each.put(path, 'block', hour)
    each.mount(path, {device: '0:6', sub: '/sdd', fsType: 'devtmpfs', source: 'devtmpfs'})
  })
  expectOnly(node, ['V11', 'error', {handle: 'vol-db'}])
})

test('V11 without vol_data.json it is not looked for', () => {
  expect(expectNone(without(healthy((node) => deviceLeft(node)).snapshot(), 'disk.vol-data'), 'V11').looked).not.toContain('V11')
})
