import {expect, test} from 'vitest'
import {expectAtMostInfo, expectNone, expectOnly, expectSilent, pathsIn, reportOf} from '../support/examined/expect.ts'
import {healthy, publish, stage, uniqueName, volumeDir, web, webStaging, webVolume} from '../support/examined/healthy.ts'
import {ago, type ExaminedNode, hour, root, without} from '../support/examined/node.ts'
import {job, nfsGone} from '../support/examined/pictures.ts'

const at = (path: string) => `${root}/${path}`
const target = at(`${webVolume}/mount`)

test('V09 k8s#101622: an NFS server is gone and the loop of the kubelet stands', () => {
  const report = expectOnly(
    healthy((node) => nfsGone(node)),
    ['V09', 'critical'],
    ['K02', 'critical'],
  )
  expect(JSON.stringify(report.findings)).toContain('kubernetes.io~nfs/share')
})

test('V09 look-alike: the NFS server answers', () => {
  const node = healthy()
  const path = nfsGone(node, false)
  node.looks.set(at(path), {state: 'ok', device: '0:70'})
  expectSilent(node)
})

test('V09 it hung for 3 s and nobody else says so: a warning', () => {
  expectOnly(
    healthy((node) => nfsGone(node, false)),
    ['V09', 'warning'],
  )
})

test('V09 it hung for a minute', () => {
  const node = healthy()
  node.looks.set(at(nfsGone(node, false)), {state: 'silent', afterMs: 61_000})
  expectOnly(node, ['V09', 'error'])
})

test('V09 a process of the pod hangs with it', () => {
  const node = healthy((each) => nfsGone(each, false))
  node.processes = [{pid: 9, startedAt: ago(hour), state: 'D', cgroup: `/kubepods/pod${web}/c`, podUid: web, containerId: `c-${web}`}]
  expectOnly(node, ['V09', 'error'])
})

test('V09 a process of another pod is in uninterruptible sleep: it proves nothing of this one', () => {
  const node = healthy((each) => nfsGone(each, false))
  node.processes = [{pid: 9, startedAt: ago(hour), state: 'D', cgroup: `/kubepods/pod${job}/c`, podUid: job, containerId: 'x'}]
  expectOnly(node, ['V09', 'warning'])
})

test.each(['ENOTCONN', 'ESTALE', 'EIO', 'EHOSTDOWN'])('V09 ceph-csi#91 and others: a look gives %s', (code) => {
  const node = healthy((each) => each.looks.set(target, {state: 'error', code}))
  const report = expectOnly(node, ['V09', 'error'])
  expect(pathsIn(report, 'V09').join('\n')).toContain(target)
})

test.each(['EACCES', 'ENOENT', 'EPERM', 'ELOOP', 'ENAMETOOLONG'])('V09 a look gives %s, which a living mount gives, too', (code) => {
  expectAtMostInfo(healthy((each) => each.looks.set(target, {state: 'error', code})))
})

test('V09 an automount was not touched', () => {
  const node = healthy((each) => {
    const path = `pods/${web}/volumes/kubernetes.io~nfs/auto`
    each.mount(path, {device: '0:90', fsType: 'autofs', source: 'systemd-1'})
    each.looks.set(at(path), {state: 'skipped', why: 'autofs'})
  })
  expectSilent(node)
})

test('V09 k8s#112601: the device of the staged volume is gone', () => {
  const node = healthy()
  node.devices = node.devices.filter(({device}) => device !== '8:16')
  const {findings} = reportOf(node)
  const found = findings.filter(({severity}) => severity !== 'info')
  expect([...new Set(found.map(({code, severity}) => `${code} ${severity}`))]).toEqual(['V09 error'])
  expect(JSON.stringify(found)).toContain('vol-web')
})

test('V09 a number whose major is 0 is no block device: btrfs, overlay, the network', () => {
  const node = healthy((each) => {
    each.unmount(`${webVolume}/mount`)
    each.mount(`${webVolume}/mount`, {device: '0:44', fsType: 'btrfs', source: '/dev/sdz'})
  })
  expectSilent(node)
})

test('V09 the list of devices is that of a container: it has none that is mounted', () => {
  const node = healthy()
  node.devices = [{device: '252:0', name: 'vdx'}]
  expectAtMostInfo(node)
})

test('V09 no device was listed', () => {
  const node = healthy()
  node.devices = []
  expectAtMostInfo(node)
})

test('V09 the root of the kubelet hangs', () => {
  const node = healthy((each) => {
    each.mount(root, {device: '0:91', fsType: 'nfs4', source: 'nas:/root'})
    each.looks.set(root, {state: 'silent', afterMs: 3000})
  })
  expectOnly(node, ['V09', 'critical'])
})

test('V09 the kubelet does not answer for another reason: that makes nothing critical', () => {
  const node = healthy((each) => nfsGone(each, false))
  node.healthz = {ok: false, text: '[+]ping ok\n[-]log failed: reason withheld\nhealthz check failed'}
  expectOnly(node, ['V09', 'warning'])
})

test('V09 mounts outside the root of the kubelet are not ours', () => {
  const node = healthy((each) => each.mount('/mnt/old', {device: '8:99'}))
  expectSilent(node)
})

test('V09 a stale mount under a new one: what lies beneath is gone, and the visible one is well', () => {
  const node = healthy((each) => {
    const path = `${webStaging}/globalmount`
    each.unmount(path)
    const lower = each.mount(path, {device: '8:160', source: '/dev/sdg'})
    each.mount(path, {parent: lower})
  })
  const {findings} = reportOf(node)
  expect(findings.map(({code, severity}) => `${code} ${severity}`)).toContain('V07 error')
})

test.each(['pvc web', "it's", '$(x)'])('V09 the PV is named %j: each path is one word', (spec) => {
  const node = healthy((each: ExaminedNode) => {
    each.inUse.push(uniqueName('vol-odd'))
    stage(each, 'vol-odd')
    each.pod('odd-0', job, ['odd'])
    each.runs('odd-0', job)
    publish(each, job, spec, 'vol-odd')
    each.looks.set(at(`${volumeDir(job, spec)}/mount`), {state: 'error', code: 'EIO'})
  })
  expect(pathsIn(expectOnly(node, ['V09', 'error']), 'V09')).toContain(at(`${volumeDir(job, spec)}/mount`))
})

test('V09 the source of the mount has a name that a shell would run', () => {
  const node = healthy((each) => {
    const path = nfsGone(each, false)
    each.unmount(path)
    each.mount(path, {device: '0:70', fsType: 'nfs4', source: '$(reboot);x:/share'})
  })
  const commands = expectOnly(node, ['V09', 'warning']).findings.flatMap(({remedy}) => remedy.map(({command}) => command))
  expect(commands.filter((command) => /(^|[^'])\$\(/.test(command))).toEqual([])
})

test('V09 without looks and without devices it is not looked for', () => {
  const node = healthy((each) => nfsGone(each))
  expect(expectNone(without(node.snapshot(), 'disk.mounts', 'kernel.devices'), 'V09').looked).not.toContain('V09')
})
