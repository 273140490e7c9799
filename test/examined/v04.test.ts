import {expect, test} from 'vitest'
import {absent, read} from '../../src/node/reading.ts'
import {expectAtMostInfo, expectNone, expectOnly, expectSilent, pathsIn, reportOf, unseenOf} from '../support/examined/expect.ts'
import {blockRecord, csi, ebs, healthy, publish, stage, uniqueName, webVolume} from '../support/examined/healthy.ts'
import {ago, day, type ExaminedNode, hour, minute, root, without} from '../support/examined/node.ts'
import {job, stagingLeft, terminating} from '../support/examined/pictures.ts'

test('V04 k8s#85476: a volume is staged and no pod of this node has it', () => {
  const report = expectOnly(healthy(stagingLeft), ['V04', 'error', {driver: ebs, handle: 'vol-gone'}])
  expect(pathsIn(report, 'V04').some((path) => path.endsWith('/globalmount'))).toBe(true)
})

test('V04 look-alike: a second pod of this node has the volume, the first one is gone', () => {
  expectSilent(
    healthy((node) => {
      node.inUse.push(uniqueName('vol-two'))
      stage(node, 'vol-two')
      node.pod('two-0', job, ['two'])
      node.runs('two-0', job)
      publish(node, job, 'pvc-two', 'vol-two')
    }),
  )
})

test('V04 k8s#101791: it is mounted and volumesInUse lacks it', () => {
  const node = healthy(stagingLeft)
  node.inUse = node.inUse.filter((name) => !name.includes('vol-gone'))
  expectOnly(node, ['V04', 'critical', {handle: 'vol-gone'}])
})

test('V04 a driver that does not attach is never in volumesInUse', () => {
  const node = healthy(stagingLeft)
  node.inUse = []
  expectOnly(node, ['V04', 'error', {handle: 'vol-gone'}])
})

test('V04 the Node object was not read', () => {
  expectOnly(without(healthy(stagingLeft).snapshot(), 'api.node'), ['V04', 'error', {handle: 'vol-gone'}])
})

test('V04 nothing is mounted and the record is there: a warning', () => {
  expectOnly(
    healthy((node) => stagingLeft(node, {bare: true})),
    ['V04', 'warning', {handle: 'vol-gone'}],
  )
})

test('V04 the last pod went 20 s ago: NodeUnstageVolume may be running', () => {
  const node = healthy((each) => {
    stagingLeft(each)
    each.dir('pods', 20)
    each.says(19, 'I', `"kubernetes.io/csi: calling NodeUnstageVolume rpc" volID="vol-gone" stagingTargetPath="/x/globalmount"`)
  })
  expectAtMostInfo(node)
})

test('V04 the last pod went 20 s ago and no log was read', () => {
  const node = healthy((each) => {
    stagingLeft(each)
    each.dir('pods', 20)
  })
  expectAtMostInfo(without(node.snapshot(), 'kubelet.log'))
})

test('V04 nothing tells for how long: no date, no log', () => {
  const node = healthy(stagingLeft)
  for (const [path, entry] of node.entries) node.entries.set(path, {...entry, age: null})
  expectAtMostInfo(without(node.snapshot(), 'kubelet.log'))
})

test('V04 the log is that of a node five hours behind UTC and was read as UTC: it tells nothing of the last hours', () => {
  const node = healthy((each) => {
    stagingLeft(each)
    each.dir('pods', 20)
    each.log = []
    for (let at = 60; at >= 0; at--) each.says(5 * hour + at * minute, 'I', '"SyncLoop (housekeeping)"')
    each.says(5 * hour + 19, 'I', '"kubernetes.io/csi: calling NodeUnstageVolume rpc" volID="vol-gone" stagingTargetPath="/x/globalmount"')
  })
  expectAtMostInfo(node)
})

test('V04 the log is that of a node five hours ahead of UTC: its lines are in the future', () => {
  const node = healthy((each) => {
    stagingLeft(each)
    each.dir('pods', 20)
    each.log = []
    for (let at = 60; at >= 0; at--) each.says(-5 * hour + at * minute, 'I', '"SyncLoop (housekeeping)"')
  })
  expectAtMostInfo(node)
})

test('V04 the log breaks off an hour ago: that it does not speak of the volume since says nothing', () => {
  const node = healthy((each) => {
    stagingLeft(each)
    each.dir('pods', 20)
    each.log = each.log.slice(0, 1)
  })
  expectAtMostInfo(node)
})

test('V04 the log begins a minute ago', () => {
  const node = healthy((each) => {
    stagingLeft(each)
    each.dir('pods', 20)
    each.log = each.log.slice(-1)
  })
  expectAtMostInfo(node)
})

test('V04 a pod waits whose claim nobody can tell the volume of: it may have it', () => {
  expectAtMostInfo(
    healthy((node) => {
      stagingLeft(node)
      node.pod('new-0', job, ['unknown'], {phase: 'Pending', createdAt: ago(20), containers: []})
    }),
  )
})

test('V04 the pod pulls its image for 3 minutes while its volume is staged and published', () => {
  expectSilent(
    healthy((node) => {
      node.inUse.push(uniqueName('vol-two'))
      stage(node, 'vol-two', {age: 3 * minute})
      const containers = [{name: 'app', kind: 'regular', state: 'waiting', reason: 'ContainerCreating'}] as const
      node.pod('two-0', job, ['two'], {phase: 'Pending', createdAt: ago(3 * minute), containers})
      publish(node, job, 'pvc-two', 'vol-two', {age: 3 * minute})
    }),
  )
})

test('V04 a volume is being unmounted right now: unpublished, and the pod is still there', () => {
  expectAtMostInfo(
    healthy((node) => {
      node.inUse.push(uniqueName('vol-two'))
      stage(node, 'vol-two')
      node.pod('two-0', job, ['two'])
      terminating(node, job, 5)
      node.dir(`pods/${job}/volumes/kubernetes.io~csi`, 1)
      node.dir('pods', 2 * hour)
    }),
  )
})

test('V04 the record of the pod is unreadable: the volume may be its own', () => {
  const node = healthy((each) => each.record(`${webVolume}/vol_data.json`, '', day))
  const {findings} = reportOf(node)
  expect(findings.filter(({code, severity}) => code === 'V04' && severity !== 'info')).toEqual([])
})

// V04 is for what no pod directory and no pod uses (bug-reports.md, 3, row 9); here a pod that runs has the same device mounted. V04 is info
// and yet says 'no pod on this node has it', and its commands unmount the globalmount and remove its record.
test('V04 the record of a pod that runs is unreadable: no command unmounts what its volume stands on', () => {
  const {findings} = reportOf(healthy((each) => each.record(`${webVolume}/vol_data.json`, '', day)))
  const commands = findings.filter(({code}) => code === 'V04').flatMap(({remedy}) => remedy.map(({command}) => command))
  expect(commands.filter((command) => /^(umount|rm) /.test(command))).toEqual([])
})

test('V04 an empty globalmount without a record: a driver without STAGE_UNSTAGE_VOLUME', () => {
  expectSilent(healthy((node) => node.dir(`${csi}/inline.csi.example/${'0'.repeat(64)}/globalmount`)))
})

test('V04 csm#1673: directories that a driver makes for itself', () => {
  expectAtMostInfo(
    healthy((node) => {
      node.put(`${csi}/pv/ephemeral/csi-${'ab'.repeat(32)}/id`, 'file')
      node.dir(`${csi}/${ebs}/locks`)
      node.dir(`${csi}/pv/controller`)
    }),
  )
})

test('V04 the layout of 1.23 and earlier', () => {
  const node = healthy((each) => {
    each.dir(`${csi}/pv/pvc-old/globalmount`)
    each.record(`${csi}/pv/pvc-old/vol_data.json`, {driverName: ebs, volumeHandle: 'vol-old'})
    each.mount(`${csi}/pv/pvc-old/globalmount`, {device: '8:32'})
    each.inUse.push(uniqueName('vol-old'))
  })
  expectOnly(node, ['V04', 'error', {handle: 'vol-old'}])
})

test('V04 the layout of 1.23 and earlier, and a pod has it', () => {
  expectSilent(
    healthy((node) => {
      node.dir(`${csi}/pv/pvc-old/globalmount`)
      node.record(`${csi}/pv/pvc-old/vol_data.json`, {driverName: ebs, volumeHandle: 'vol-old'})
      node.mount(`${csi}/pv/pvc-old/globalmount`, {device: '8:32'})
      node.inUse.push(uniqueName('vol-old'))
      node.pod('old-0', job, ['old'])
      node.runs('old-0', job)
      publish(node, job, 'pvc-old', 'vol-old')
    }),
  )
})

function blockLeft(node: ExaminedNode, spec = 'pvc-raw'): void {
  node.record(`${csi}/volumeDevices/${spec}/data/vol_data.json`, blockRecord(spec, 'vol-raw'))
  node.dir(`${csi}/volumeDevices/staging/${spec}`)
  node.inUse.push(uniqueName('vol-raw'))
}

test('V04 a raw block volume is staged and no pod has it', () => {
  expectOnly(healthy(blockLeft), ['V04', 'error', {handle: 'vol-raw'}])
})

test.each(['pvc raw', "it's", 'ü$(x)'])('V04 the PV of a raw block volume is named %j: each path is one word', (spec) => {
  const report = expectOnly(
    healthy((node) => blockLeft(node, spec)),
    ['V04', 'error'],
  )
  for (const path of pathsIn(report, 'V04')) expect(path.includes('/volumeDevices/') ? path : spec).toContain(spec)
})

test.each(['host#path/to/share#pvc-1##', 'a^b^c', 'fs-0::fsap-1', "it's a $(handle)", 'ü'.repeat(60)])('V04 the handle is %j', (handle) => {
  const report = expectOnly(
    healthy((node) => stagingLeft(node, {handle})),
    ['V04', 'error', {driver: ebs, handle}],
  )
  expect(report.findings).toHaveLength(1)
})

test.each(['a^b^c', 'host#path/to/share#pvc-1##'])('V04 the handle is %j and a pod has it', (handle) => {
  expectSilent(
    healthy((node) => {
      stagingLeft(node, {handle})
      node.pod('odd-0', job, ['odd'])
      node.runs('odd-0', job)
      publish(node, job, 'pvc-odd', handle)
    }),
  )
})

test("V04 the kubelet's list is empty while sandboxes run: nothing is concluded", () => {
  const node = healthy(stagingLeft)
  node.pods = []
  const report = expectNone(node, 'V04')
  expect(unseenOf(report, 'kubelet.pods')).not.toBe('')
})

test('V04 without the mount table it is not looked for', () => {
  expect(expectNone(without(healthy(stagingLeft).snapshot(), 'kernel.mounts'), 'V04').looked).not.toContain('V04')
})

test('V04 the walk broke off before the directories of the pods', () => {
  const node = healthy()
  const entries = node.snapshot().readings['disk.entries']
  if (entries.state === 'read')
    node.readings['disk.entries'] = read(
      entries.value.filter(({path}) => !path.startsWith('pods/')),
      'the walk was cut',
    )
  node.readings['api.pods'] = absent('not read')
  const {findings} = reportOf(node)
  expect(findings.filter(({severity}) => severity !== 'info').map(({code}) => code)).toEqual([])
})

test('V04 the globalmount has the other name of a root that is a link', () => {
  const node = healthy(stagingLeft)
  node.real = '/data/kubelet'
  node.mounts = node.mounts.map((line) => line.replaceAll(root, '/data/kubelet'))
  expectOnly(node, ['V04', 'error', {handle: 'vol-gone'}])
})

test('V04 a Completed pod whose volumes are gone keeps nothing staged: a volume that is left is at least said', () => {
  const node = healthy((each) => {
    stagingLeft(each)
    each.pod('job-0', job, ['data2'], {phase: 'Succeeded', containers: [{name: 'app', kind: 'regular', state: 'terminated', exitCode: 0}]})
    each.dir(`pods/${job}/volumes`)
  })
  expect(reportOf(node).findings.map(({code}) => code)).toContain('V04')
})
