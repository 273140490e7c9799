import fc from 'fast-check'
import {expect, test} from 'vitest'
import type {MountLook} from '../../../src/node/kernel/facts.ts'
import type {Mount} from '../../../src/node/mountinfo.ts'
import type {Sources} from '../../../src/node/snapshot.ts'
import {detectionOf, findingsOf, severitiesOf} from '../../support/found.ts'
import {mountAt, waitingPod} from '../../support/snapshot-builder.ts'

const root = '/var/lib/kubelet'
const target = `${root}/pods/u1/volumes/kubernetes.io~nfs/data`
const nfs: Mount = {...mountAt(target), device: '0:52', fsType: 'nfs4', source: 'srv:/export'}
const disk: Mount = {...mountAt(`${root}/pods/u1/volumes/kubernetes.io~csi/pv1/mount`), device: '8:16', source: '/dev/sdb'}
const base = mountAt('/')
const look = (outcome: MountLook['outcome'], mountPoint = target): MountLook => ({mountPoint, outcome})
const silent = (afterMs: number) => look({state: 'silent', afterMs})
const code = (name: string) => look({state: 'error', code: name})
const stuck = {ok: false, text: '[+]ping ok\n[-]syncloop failed: reason withheld'}
const sleeping = {pid: 7, startedAt: 0, state: 'D', cgroup: '/', podUid: 'u1'}

const nfsNode = (looks: readonly MountLook[], more: Partial<Sources> = {}) => ({
  sources: {'kernel.mounts': [base, nfs], 'disk.mounts': looks, 'kubelet.pods': [waitingPod('web-0', 'u1', [])], ...more},
})

test.each([
  ['a stale handle', [code('ESTALE')], {}, ['error']],
  ['a FUSE process that died', [code('ENOTCONN')], {}, ['error']],
  ['a host that is down', [code('EHOSTDOWN')], {}, ['error']],
  ['one look that hung for 3 s: it may be slow', [silent(3000)], {}, ['warning']],
  ['a look that hung for a minute', [silent(60_000)], {}, ['error']],
  ['a look that hung while a process of the pod cannot be woken', [silent(3000)], {processes: [sleeping]}, ['error']],
  ["a look that hung while the kubelet's loop stands", [silent(3000)], {'kubelet.healthz': stuck}, ['critical']],
] as const)('V09 finds %s', (_what, looks, more, expected) => {
  expect(severitiesOf('V09', nfsNode(looks, more))).toEqual(expected)
})

test.each([
  ['EACCES: FUSE refuses root', [code('EACCES')], {}],
  ['EPERM', [code('EPERM')], {}],
  ['ENOENT: it was unmounted meanwhile', [code('ENOENT')], {}],
  ['a mount that answers', [look({state: 'ok', device: '0:52'})], {}],
  ['an automount that nobody touched', [look({state: 'skipped', why: 'autofs'})], {'kernel.mounts': [base, {...nfs, fsType: 'autofs'}]}],
  ['an automount, whatever a look at it gave', [silent(3000)], {'kernel.mounts': [base, {...nfs, fsType: 'autofs'}]}],
  ['a mount that is not below the root', [look({state: 'silent', afterMs: 9}, '/srv')], {'kernel.mounts': [base, mountAt('/srv')]}],
  ['a look at what is no mount any more', [code('ESTALE')], {'kernel.mounts': [base]}],
] as const)('V09 is silent about %s', (_what, looks, more) => {
  expect(severitiesOf('V09', nfsNode(looks, more))).toEqual([])
})

test('V09 has not looked when there was no time for a mount, and no other is dead', () => {
  const late = look({state: 'skipped', why: 'not done within 1000 ms'})
  const {looked, unseen} = detectionOf('V09', nfsNode([late], {}))
  expect({looked, unseen: unseen.filter(({source}) => source === 'disk.mounts')}).toEqual({
    looked: [],
    unseen: [{source: 'disk.mounts', why: '1 of 1 mounts were not looked at: not done within 1000 ms'}],
  })
})

test('V09 tells of one dead mount, and that there was no time for another', () => {
  const other = mountAt(`${root}/pods/u1/volumes/kubernetes.io~nfs/other`)
  const late = look({state: 'skipped', why: 'not done within 1000 ms'}, other.mountPoint)
  const {findings, unseen} = detectionOf('V09', nfsNode([code('ESTALE'), late], {'kernel.mounts': [base, nfs, other]}))
  expect(findings.map(({severity}) => severity)).toEqual(['error'])
  expect(unseen).toContainEqual({source: 'disk.mounts', why: '1 of 2 mounts were not looked at: not done within 1000 ms'})
})

test.each([root, `${root}/pods`, `${root}/plugins`])(
  'V09 is critical when %s hangs: the kubelet looks there at every turn',
  (mountPoint) => {
    const sources = {'kernel.mounts': [base, {...nfs, mountPoint}], 'disk.mounts': [look({state: 'silent', afterMs: 3000}, mountPoint)]}
    expect(severitiesOf('V09', {sources})).toEqual(['critical'])
  },
)

const vda = {device: '254:0', name: 'vda'}
const sdb = {device: '8:16', name: 'sdb'}
const diskNode = (devices: Sources['kernel.devices'], mounts: Sources['kernel.mounts'] = [base, disk]) => ({
  sources: {'kernel.mounts': mounts, 'kernel.devices': devices},
})

test.each([
  ['a device that is gone', diskNode([vda]), ['error']],
  ['a device that is there', diskNode([vda, sdb]), []],
  ['a list of devices that is that of a container', diskNode([{device: '7:0', name: 'loop0'}]), []],
  ['an empty list of devices', diskNode([]), []],
  ['btrfs, whose number is no device', diskNode([vda], [base, {...disk, device: '0:44', fsType: 'btrfs'}]), []],
  ['flash memory, which is mounted without a block device', diskNode([vda], [base, {...disk, device: '31:2', fsType: 'jffs2'}]), []],
  ['a gone device that another mount lies on', diskNode([vda], [base, disk, {...disk, device: '254:0'}]), ['error']],
])('V09 and %s', (_what, parts, expected) => {
  expect(severitiesOf('V09', parts)).toEqual(expected)
})

test('V09 tells mounts of one server, and of one file system, as one', () => {
  const other = {...nfs, mountPoint: `${root}/pods/u2/volumes/kubernetes.io~nfs/other`, source: 'srv:/other', device: '0:53'}
  const elsewhere = {...nfs, mountPoint: `${root}/pods/u3/volumes/kubernetes.io~nfs/third`, source: 'srv2:/x', device: '0:54'}
  const mounts = [base, nfs, other, elsewhere]
  const looks = mounts.slice(1).map(({mountPoint}) => look({state: 'silent', afterMs: 3000}, mountPoint))
  const found = findingsOf('V09', {sources: {'kernel.mounts': mounts, 'disk.mounts': looks}})
  expect(found.map(({message}) => message)).toEqual([expect.stringContaining('and 1 more of the same'), expect.stringContaining('srv2:/x')])
})

test('V09 goes by the real path of the root, too', () => {
  const real = '/mnt/kubelet'
  const mountPoint = `${real}/pods/u1/volumes/kubernetes.io~nfs/data`
  const sources = {'kernel.mounts': [base, {...nfs, mountPoint}], 'disk.mounts': [look({state: 'error', code: 'ESTALE'}, mountPoint)]}
  const found = findingsOf('V09', {sources}, {kubeletRootReal: real})
  expect(found.map(({subject}) => subject)).toEqual([{kind: 'Volume', name: 'data', podUid: 'u1', path: target}])
})

test('V09 fills in paths that mean themselves to a shell', () => {
  const mountPoint = `${root}/pods/u1/volumes/kubernetes.io~nfs/it's $(rm)`
  const sources = {'kernel.mounts': [base, {...nfs, mountPoint}], 'disk.mounts': [look({state: 'error', code: 'ESTALE'}, mountPoint)]}
  const commands = findingsOf('V09', {sources}).flatMap(({remedy}) => remedy.map(({command}) => command))
  expect(commands).toContain(String.raw`umount -f '/var/lib/kubelet/pods/u1/volumes/kubernetes.io~nfs/it'\''s $(rm)'`)
})

test('V09 gives the mounts that lie deeper first', () => {
  const inner = {...disk, mountPoint: `${disk.mountPoint}/inner`}
  const commands = findingsOf('V09', diskNode([vda], [base, disk, inner])).flatMap(({remedy}) => remedy.map(({command}) => command))
  expect(commands.filter((command) => command.startsWith('umount')).map((command) => command.includes('inner'))).toEqual([true, false])
})

test('V09 never takes an answer for death, and never throws', () => {
  const outcome = fc.oneof(
    fc.record({state: fc.constant('ok' as const), device: fc.string()}),
    fc.record({state: fc.constant('error' as const), code: fc.constantFrom('EACCES', 'EPERM', 'ENOENT', 'ELOOP', 'ENOTDIR', 'EINTR')}),
    fc.record({state: fc.constant('skipped' as const), why: fc.string()}),
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string(), outcome)), fc.string(), (looks, source) => {
      const mounts = looks.map(([path]) => ({...nfs, source, mountPoint: `${root}/${path}`}))
      const sources = {'kernel.mounts': [base, ...mounts], 'disk.mounts': looks.map(([path, each]) => look(each, `${root}/${path}`))}
      expect(severitiesOf('V09', {sources})).toEqual([])
    }),
  )
})

test.each([
  ['a look that hung, and waits', silent(3000), '2026-11-30T02:59:57Z', /^The kubelet waits wherever it looks at the mount/],
  ['an error, at an unknown time, and nothing', code('ESTALE'), undefined, /^The kubelet does nothing about it/],
] as const)('V09 says since when and what the kubelet does next of %s', (_what, outcome, since, words) => {
  const [found] = findingsOf('V09', nfsNode([outcome]))
  expect([found?.since, found?.next]).toEqual([since, expect.stringMatching(words)])
})

test('V09 says that a kubelet which hangs itself neither starts nor stops a pod', () => {
  const [found] = findingsOf('V09', nfsNode([silent(3000)], {'kubelet.healthz': stuck}))
  expect(found?.next).toMatch(/neither starts nor stops any pod until it answers/)
})
