import {expect, test} from 'vitest'
import {read} from '../../src/node/reading.ts'
import {expectAtMostInfo, expectNone, expectOnly, expectSilent, pathsIn, reportOf, unseenOf} from '../support/examined/expect.ts'
import {gone, healthy, volumeDir, web} from '../support/examined/healthy.ts'
import {ago, hour, minute, root, without} from '../support/examined/node.ts'
import {publishLeft, recordLeft} from '../support/examined/pictures.ts'

test('V01 k8s#105536: a vol_data.json that is alone for an hour is a warning that names the pod', () => {
  const report = expectOnly(
    healthy((node) => recordLeft(node)),
    ['V01', 'warning'],
  )
  expect(JSON.stringify(report.findings)).toContain(gone)
  expect(pathsIn(report, 'V01')).toContain(`${root}/${volumeDir(gone, 'pvc-gone')}/vol_data.json`)
})

test('V01 look-alike: the pod was deleted a moment ago and is still in the kubelet and in the runtime', () => {
  expectAtMostInfo(
    healthy((node) => {
      recordLeft(node, {age: 20})
      node.pod('last-0', gone, ['data'], {deletedAt: ago(5), createdAt: ago(hour)})
      node.runs('last-0', gone, {started: hour})
    }),
  )
})

test('V01 the pod comes back to the kubelet: nothing is above info', () => {
  expectNone(
    healthy((node) => {
      recordLeft(node)
      node.pod('last-0', gone, ['data'], {createdAt: ago(20), phase: 'Pending', containers: []})
    }),
    'V01',
  )
})

test('V01 only the runtime knows the pod, by a sandbox that is down', () => {
  expectNone(
    healthy((node) => {
      recordLeft(node)
      node.runs('last-0', gone, {ready: false})
    }),
    'V01',
  )
})

test('V01 only the API server knows the pod', () => {
  const node = healthy(recordLeft)
  node.pod('last-0', gone, ['data'])
  node.pods = node.pods.filter(({uid}) => uid !== gone)
  expectNone(node, 'V01')
})

test.each([
  ['5 minutes', 5 * minute],
  ['9 minutes', 9 * minute],
  ['nobody knows for how long', null],
  ['-3 hours: a clock went back', -3 * hour],
])('V01 the directory is %s old: at most info', (_, age) => {
  expectAtMostInfo(healthy((node) => recordLeft(node, {age})))
})

test("V01 the kubelet's list is empty while sandboxes run: nothing is concluded, and unseen says so", () => {
  const node = healthy(recordLeft)
  node.pods = []
  const report = reportOf(node)
  expect(report.findings.filter(({code, severity}) => code.startsWith('V0') && severity !== 'info')).toEqual([])
  expect(report.findings.filter(({code}) => code === 'V01')).toEqual([])
  expect(unseenOf(report, 'kubelet.pods')).not.toBe('')
})

test('V01 the list of pods broke off: nothing is concluded from what it lacks', () => {
  const node = healthy(recordLeft)
  node.readings['kubelet.pods'] = read(node.pods.slice(0, 2), 'the reply broke off')
  expectNone(node, 'V01')
})

test.each(['pvc gone', "it's", 'données-ü', '$(touch x)', 'a;b', '-rf', 'a\nb'])(
  'V01 the PV is named %j: each path is one word',
  (spec) => {
    const report = expectOnly(
      healthy((node) => recordLeft(node, {spec})),
      ['V01', 'warning'],
    )
    expect(pathsIn(report, 'V01')).toContain(`${root}/${volumeDir(gone, spec)}/vol_data.json`)
  },
)

test('V01 k8s#29078: a tmpfs of an emptyDir is still mounted', () => {
  const path = `pods/${gone}/volumes/kubernetes.io~empty-dir/shm`
  const report = reportOf(
    healthy((node) => {
      node.dir(path, hour)
      node.mount(path, {device: '0:61', fsType: 'tmpfs', source: 'tmpfs'})
    }),
  )
  expect(report.findings.filter(({code, severity}) => code === 'V01' && severity === 'error')).toHaveLength(1)
  expect(report.findings.flatMap(({remedy}) => remedy.map(({command}) => command)).join('\n')).toContain(`umount ${root}/${path}`)
})

test('V01 k8s#119792: files are left of an emptyDir; no command deletes them', () => {
  const path = `pods/${gone}/volumes/kubernetes.io~empty-dir/work`
  const node = healthy((each) => each.dir(path, hour, {content: {entries: 3, bytes: 4096, newestAt: ago(hour)}}))
  const report = expectOnly(node, ['V01', 'warning'])
  expect(report.findings.flatMap(({remedy}) => remedy.map(({command}) => command)).join('\n')).not.toMatch(/\brm\b.*work/)
})

test('V01 k8s#119792: a container still writes there: an old directory with new files is not old', () => {
  const path = `pods/${gone}/volumes/kubernetes.io~empty-dir/work`
  const node = healthy((each) => each.dir(path, hour, {content: {entries: 3, bytes: 4096, newestAt: ago(10)}}))
  const {findings} = reportOf(node)
  expect(findings.filter(({code}) => code === 'V01').map(({severity}) => severity)).not.toContain('error')
})

test('V01 k8s#82215: a directory of a FlexVolume driver is left', () => {
  expectOnly(
    healthy((node) => node.dir(`pods/${gone}/volumes/vendor~driver/vol`, hour)),
    ['V01', 'warning'],
  )
})

test.each(['lost+found', '.snapshot', 'hdishd83djaidwnduwk28bcsb', 'backup'])('V01 pods/%s is no directory of a pod', (name) => {
  expectAtMostInfo(healthy((node) => node.dir(`pods/${name}/old`, hour)))
})

test('V01 a static pod whose directory bears 32 hexadecimal digits is an orphan, too, once nobody has it', () => {
  expectOnly(
    healthy((node) => recordLeft(node, {uid: 'abcdefabcdefabcdefabcdefabcdefab'})),
    ['V01', 'warning'],
  )
})

test('V01 the root is a link and the mount table has the other name: it is still mounted', () => {
  const real = '/data/kubelet'
  const node = healthy((each) => publishLeft(each))
  node.real = real
  node.mounts = node.mounts.map((line) => line.replaceAll(root, real))
  const report = expectOnly(node, ['V01', 'error'], ['V03', 'error'])
  expect(report.findings.every(({severity}) => severity !== 'critical')).toBe(true)
})

test('V01 a pod that lives has no finding whatever lies in its directory', () => {
  expectSilent(healthy((node) => node.put(`pods/${web}/volumes/kubernetes.io~empty-dir/x/y`, 'file', hour)))
})

test('V01 k8s#72257: -xdev does not stop at a bind mount of the same device, so nothing is deleted below one', () => {
  const path = `pods/${gone}/volumes/kubernetes.io~local-volume/data`
  const node = healthy((each) => {
    recordLeft(each)
    each.dir(path, hour)
    each.mount(path, {device: '254:0', sub: '/srv/data'})
  })
  for (const snapshot of [node.snapshot(), without(node.snapshot(), 'kernel.mounts')]) {
    const commands = reportOf(snapshot).findings.flatMap(({remedy}) => remedy.map(({command}) => command))
    expect(commands.filter((command) => command.includes('-delete') && !command.includes('umount'))).toEqual([])
  }
})
