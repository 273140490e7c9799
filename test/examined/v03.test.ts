import {expect, test} from 'vitest'
import {read} from '../../src/node/reading.ts'
import {expectAtMostInfo, expectNone, expectOnly, expectSilent, pathsIn, reportOf, unseenOf} from '../support/examined/expect.ts'
import {gone, healthy, inline, podRecord, publish, volumeDir, webVolume} from '../support/examined/healthy.ts'
import {ago, hour, minute, root, without} from '../support/examined/node.ts'
import {publishLeft} from '../support/examined/pictures.ts'

const left = `${root}/${volumeDir(gone, 'pvc-gone')}/mount`

test('V03 k8s#92299: a volume is mounted in the directory of a pod that nobody knows', () => {
  const report = expectOnly(healthy(publishLeft), ['V01', 'error'], ['V03', 'error'])
  expect(JSON.stringify(report.findings.filter(({code}) => code === 'V03'))).toContain('pvc-gone')
  expect(pathsIn(report, 'V03')).toContain(left)
})

test('V03 look-alike: the pod was deleted a moment ago and is being torn down', () => {
  expectAtMostInfo(
    healthy((node) => {
      publishLeft(node)
      node.pod('last-0', gone, ['data'], {deletedAt: ago(10)})
      node.runs('last-0', gone, {ready: false})
    }),
  )
})

test.each([
  ['5 minutes', 5 * minute],
  ['unknown', null],
])('V03 nobody has known the pod for %s: at most info', (_, age) => {
  expectAtMostInfo(healthy((node) => publishLeft(node, {age})))
})

test("V03 the kubelet's list is empty while sandboxes run: nothing is concluded, and unseen says so", () => {
  const node = healthy(publishLeft)
  node.pods = []
  const report = expectAtMostInfo(node)
  expect(report.looked).not.toContain('V03')
  expect(unseenOf(report, 'kubelet.pods')).not.toBe('')
})

test('V03 the kubelet started seconds ago: its list has static pods only', () => {
  const node = healthy(publishLeft)
  node.pods = node.pods.filter(({configSource}) => configSource === 'file')
  expectAtMostInfo(node)
})

test('V03 the runtime still has the sandbox of the pod', () => {
  expectNone(
    healthy((node) => {
      publishLeft(node)
      node.runs('last-0', gone)
    }),
    'V03',
  )
})

test('V03 k8s#79980: an inline volume without a mount is left', () => {
  const node = healthy((each) => {
    each.dir(`${volumeDir(gone, 'scratch')}/mount`, hour)
    const record = podRecord('scratch', `csi-${'cd'.repeat(32)}`, {driverName: inline, volumeLifecycleMode: 'Ephemeral'})
    each.record(`${volumeDir(gone, 'scratch')}/vol_data.json`, record, hour)
  })
  expectOnly(node, ['V01', 'warning'], ['V03', 'warning'])
})

test('V03 a persistent volume without a mount is no leaked mount', () => {
  const node = healthy((each) => {
    publishLeft(each)
    each.unmount(`${volumeDir(gone, 'pvc-gone')}/mount`)
  })
  expectOnly(node, ['V01', 'warning'])
})

test('V03 aws-ebs#1264: the root has two names and each mount of a living pod shows twice', () => {
  expectSilent(
    healthy((node) => {
      for (const line of [...node.mounts])
        if (line.includes(root)) node.mounts.push(line.replaceAll(root, '/mnt/kubelet').replace(/^\d+/, (id) => `${Number(id) + 500}`))
    }),
  )
})

test('V03 aws-ebs#1264: a leaked mount that shows under two names is one finding', () => {
  const node = healthy(publishLeft)
  node.mount(`/mnt/kubelet/${volumeDir(gone, 'pvc-gone')}/mount`, {device: '8:32', source: '/dev/sdc'})
  expectOnly(node, ['V01', 'error'], ['V03', 'error'])
})

test('V03 the root is a link: the mount table has the other name', () => {
  const node = healthy(publishLeft)
  node.real = '/data/k8s/kubelet'
  node.mounts = node.mounts.map((line) => line.replaceAll(root, '/data/k8s/kubelet'))
  expectOnly(node, ['V01', 'error'], ['V03', 'error'])
})

test('V03 no directory was read: nothing tells the age', () => {
  expectAtMostInfo(without(healthy(publishLeft).snapshot(), 'disk.entries', 'disk.vol-data', 'kubelet.log'))
})

test('V03 the mount table broke off: what it has is still there', () => {
  const node = healthy(publishLeft)
  const mounts = node.snapshot().readings['kernel.mounts']
  if (mounts.state === 'read') node.readings['kernel.mounts'] = read(mounts.value, 'torn')
  const {findings} = reportOf(node)
  expect(findings.filter(({severity}) => severity !== 'info').map(({code}) => code)).not.toContain('V06')
})

test.each(['pvc gone', "it's", 'ü', '$(x)', 'a\\b', 'a\tb'])('V03 the PV is named %j: umount gets it as one word', (spec) => {
  const report = expectOnly(
    healthy((node) => publishLeft(node, {spec})),
    ['V01', 'error'],
    ['V03', 'error'],
  )
  const commands = report.findings.filter(({code}) => code === 'V03').flatMap(({remedy}) => remedy.map(({command}) => command))
  expect(commands.some((command) => /umount/.test(command))).toBe(true)
  expect(pathsIn(report, 'V03')).toContain(`${root}/${volumeDir(gone, spec)}/mount`)
})

test('V03 two pods had it: the one that lives is not touched', () => {
  const node = healthy((each) => publish(each, gone, 'pvc-web', 'vol-web', {age: hour, device: '8:16'}))
  const report = expectOnly(node, ['V01', 'error'], ['V03', 'error'])
  expect(report.findings.flatMap(({remedy}) => remedy.map(({command}) => command)).join('\n')).not.toContain(webVolume)
})

test('V03 a static pod of 32 hexadecimal digits with a mount is known by the kubelet, not by the API server', () => {
  const node = healthy((each) => each.mount(`pods/${'4'.repeat(32)}/volumes/kubernetes.io~empty-dir/x`, {device: '0:80', fsType: 'tmpfs'}))
  expectSilent(node)
})
