import {expect, test} from 'vitest'
import {read} from '../../src/node/reading.ts'
import {expectAtMostInfo, expectNone, expectOnly, expectSilent, pathsIn, reportOf, unseenOf} from '../support/examined/expect.ts'
import {
  blockRecord,
  csi,
  db,
  gone,
  healthy,
  podRecord,
  publish,
  volumeDir,
  web,
  webStaging,
  webVolume,
} from '../support/examined/healthy.ts'
import {ago, day, type ExaminedNode, hour, minute, root} from '../support/examined/node.ts'
import {recordEmpty, terminating} from '../support/examined/pictures.ts'

const record = `${webVolume}/vol_data.json`
const good = JSON.stringify(podRecord('pvc-web', 'vol-web'))

function recordMissing(node: ExaminedNode): void {
  node.entries.delete(record)
  node.volData.delete(record)
}

test('V02 k8s#108217: a record of 0 bytes under a pod that is Terminating for an hour', () => {
  const report = expectOnly(healthy(recordEmpty), ['V02', 'error'], ['P01', 'error'])
  const [finding] = report.findings.filter(({code}) => code === 'V02')
  expect(JSON.stringify(finding)).toContain(record)
})

test('V02 look-alike: text behind the first value, which is all that the kubelet reads', () => {
  expectSilent(healthy((node) => node.record(record, `${good}garbage`)))
  expectSilent(healthy((node) => node.record(record, `${good}${good}`)))
})

test.each([
  ['cut', '{"specVolID":"pvc-'],
  ['only a line feed', '\n'],
  ['behind a byte order mark', `\ufeff${good}`],
  ['an array', '[]'],
  ['with a number in it', '{"driverName":"ebs.csi.example","volumeHandle":7}'],
  ['without the driver', '{"volumeHandle":"vol-web","specVolID":"pvc-web"}'],
  ['with an empty driver', '{"driverName":"","volumeHandle":"vol-web","specVolID":"pvc-web"}'],
  ['null', 'null'],
])('V02 the record is %s: the kubelet cannot unmount by it', (_, content) => {
  expectOnly(
    healthy((node) => recordEmpty(node, content)),
    ['V02', 'error'],
    ['P01', 'error'],
  )
})

test('V02 k8s#116847: the record is gone, the mount is there and the pod is listed', () => {
  const node = healthy((each) => {
    terminating(each, web, hour)
    recordMissing(each)
    each.dir(webVolume, hour)
  })
  expectOnly(node, ['V02', 'error'], ['P01', 'error'])
})

test('V02 the record of a volume is removed right now, as its pod is being deleted', () => {
  const node = healthy((each) => {
    terminating(each, web, 5)
    recordMissing(each)
    each.unmount(`${webVolume}/mount`)
    each.remove(`${webVolume}/mount`)
    each.dir(webVolume, 1)
    each.dir(`${webVolume}/..`.replace('/pvc-web/..', ''), 1)
  })
  expectAtMostInfo(node)
})

test('V02 a pod that was created just now: its directory is there and its record not yet', () => {
  const node = healthy((each) => {
    recordMissing(each)
    each.unmount(`${webVolume}/mount`)
    each.remove(`${webVolume}/mount`)
    each.dir(webVolume, 3)
    each.stop(web)
    each.changePod(web, {createdAt: ago(10), phase: 'Pending', containers: []})
  })
  expectAtMostInfo(node)
})

test('V02 a record that the kubelet is writing just now: it is empty for a moment', () => {
  const node = healthy((each) => {
    each.stop(web)
    each.changePod(web, {createdAt: ago(10), phase: 'Pending', containers: []})
    each.unmount(`${webVolume}/mount`)
    each.record(record, '', 0)
    each.dir(webVolume, 0)
  })
  expectAtMostInfo(node)
})

test('V02 nothing is mounted and no pod has it: harmless, and the left directory is V01', () => {
  expectOnly(
    healthy((node) => node.record(`${volumeDir(gone, 'pvc-gone')}/vol_data.json`, '', hour)),
    ['V01', 'warning'],
  )
})

function emptied(node: ExaminedNode, more: Parameters<ExaminedNode['changePod']>[1]): void {
  node.stop(web)
  node.changePod(web, more)
  node.unmount(`${webVolume}/mount`)
  for (const path of [`${webVolume}/mount`, record]) node.remove(path)
  node.dir(webVolume, day)
}

const ended = (phase: 'Failed' | 'Succeeded') =>
  ({phase, containers: [{name: 'app', kind: 'regular', state: 'terminated', finishedAt: ago(day)}]}) as const

test.each(['Failed', 'Succeeded'] as const)('V02 k8s#116847: of a %s pod an empty directory is left: harmless', (phase) => {
  const node = healthy((each) => emptied(each, ended(phase)))
  const {findings} = reportOf(node)
  expect(findings.filter(({code}) => code === 'V02').map(({severity}) => severity)).toEqual(['info'])
  expectAtMostInfo(node)
})

test('V02 an empty directory of a Failed pod that is being deleted keeps it', () => {
  expectOnly(
    healthy((node) => emptied(node, {...ended('Failed'), deletedAt: ago(hour)})),
    ['V02', 'error'],
    ['P01', 'error'],
  )
})

test('V02 a Failed pod whose mount directory is left without a record keeps the error', () => {
  const node = healthy((each) => {
    emptied(each, ended('Failed'))
    each.dir(`${webVolume}/mount`, day)
  })
  expectOnly(node, ['V02', 'error'])
})

test.each([
  ['a link, which a kubelet follows', 'it is a link, which is not followed'],
  ['more than we read', 'it has 70000 bytes, and no more than 65536 are looked at'],
  ['more than we read, and growing', 'it has more than 65536 bytes, and no more than 65536 are looked at'],
])('V02 a record that is %s: nobody looked', (_, unreadable) => {
  const node = healthy()
  const {readings} = node.snapshot()
  const files = readings['disk.vol-data']
  if (files.state !== 'read') throw new Error('it was read')
  node.readings['disk.vol-data'] = read(files.value.map((each) => (each.path === record ? {...each, data: {unreadable}} : each)))
  const report = expectNone(node, 'V02')
  expect(unseenOf(report, 'disk.vol-data')).toBe(`${record} was not looked at: ${unreadable}`)
  expectAtMostInfo(node)
})

test.each([
  ['other', 'is something else than a file'],
  ['fifo', 'is a FIFO, not a file'],
  ['block', 'is a device, not a file'],
] as const)('V02 the record is of the type %s: it says so', (type, words) => {
  const node = healthy((each) => {
    each.volData.delete(record)
    each.put(record, type)
  })
  const [finding] = expectOnly(node, ['V02', 'error']).findings.filter(({code}) => code === 'V02')
  expect(finding?.message).toContain(words)
})

test('V02 k8s#85280: the record is gone, the mount is still there and so is nobody', () => {
  const node = healthy((each) => {
    const dir = publish(each, gone, 'pvc-gone', 'vol-gone', {age: hour})
    each.remove(`${dir}/vol_data.json`)
  })
  expectOnly(node, ['V01', 'error'], ['V02', 'error'], ['V03', 'error'])
})

test('V02 a globalmount without a record: a driver without STAGE_UNSTAGE_VOLUME', () => {
  expectSilent(healthy((node) => node.dir(`${csi}/inline.csi.example/${'0'.repeat(64)}/globalmount`)))
})

test('V02 a record without volumeLifecycleMode, as old kubelets wrote it', () => {
  const {volumeLifecycleMode: _, ...old} = podRecord('pvc-web', 'vol-web')
  expectSilent(healthy((node) => node.record(record, old)))
})

test('V02 the record of a raw block volume is empty, while its pod runs', () => {
  const path = `${csi}/volumeDevices/pvc-db/data/vol_data.json`
  const report = expectOnly(
    healthy((node) => node.record(path, '', day)),
    ['V02', 'error'],
  )
  expect(JSON.stringify(report.findings)).toContain(path)
})

test('V02 the record of a staged volume is gone while a pod runs on it (1.25 and later then skip NodeUnstageVolume)', () => {
  const node = healthy((each) => each.remove(`${webStaging}/vol_data.json`))
  const {findings} = reportOf(node)
  expect(findings.filter(({code}) => code !== 'V02' && code !== 'V05').map(({code}) => code)).toEqual([])
})

test('V02 the records were not all read: a missing one is not missing', () => {
  const node = healthy(recordMissing)
  node.entries.set(record, {type: 'file', age: day, more: {}})
  node.readings['disk.vol-data'] = read([], 'a limit was met')
  expectNone(node, 'V02')
})

test('V02 the list of entries broke off: a record that it lacks may be there', () => {
  const node = healthy(recordMissing)
  const entries = node.snapshot().readings['disk.entries']
  if (entries.state === 'read') node.readings['disk.entries'] = read(entries.value, 'the walk was cut')
  expectNone(node, 'V02')
})

test.each(['pvc web', "it's", '$(x)', 'ü'])('V02 the PV is named %j: each path is one word', (spec) => {
  const node = healthy((each) => {
    each.forget(db)
    each.remove(`pods/${db}`)
    each.pod('odd-0', gone, ['odd'], {deletedAt: ago(hour)})
    publish(each, gone, spec, 'vol-odd', {age: 3 * hour})
    each.record(`${volumeDir(gone, spec)}/vol_data.json`, '', 3 * hour)
  })
  const report = reportOf(node)
  const found = report.findings.filter(({code}) => code === 'V02')
  expect(found.map(({severity}) => severity)).toEqual(['error'])
  const paths = pathsIn(report, 'V02')
  for (const path of paths) expect(path.startsWith(`${root}/${volumeDir(gone, spec)}`) || !path.includes(gone), path).toBe(true)
})

test('V02 a block record of a PV that two pods have is one finding', () => {
  const path = `${csi}/volumeDevices/pvc-db/data/vol_data.json`
  const node = healthy((each) => {
    each.pod('db-1', gone, ['disk'])
    each.runs('db-1', gone)
    each.put(`${csi}/volumeDevices/pvc-db/dev/${gone}`, 'block')
    each.put(`pods/${gone}/volumeDevices/kubernetes.io~csi/pvc-db`, 'link')
    each.record(path, JSON.stringify(blockRecord('pvc-db', 'vol-db')).slice(0, 20), 10 * minute)
  })
  expect(reportOf(node).findings.filter(({code}) => code === 'V02')).toHaveLength(1)
})
