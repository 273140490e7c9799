import {chmodSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import type {WalkedMount, WalkPart, WalkRequest} from '../../../src/node/disk/protocol.ts'
import {walk} from '../../../src/node/disk/walk.ts'
import type {DiskEntry} from '../../../src/node/disk.ts'
import {type Leaf, treeOf} from '../../support/tree.ts'

function walked(root: string, {mounts = [], skip = []}: Partial<WalkRequest> = {}) {
  const parts: WalkPart[] = []
  walk({root, mounts, skip}, (part) => parts.push(part))
  const entries = parts.flatMap((part) => part.entries)
  return {
    parts,
    entries,
    paths: entries.map(({path}) => path),
    entry: (path: string): DiskEntry | undefined => entries.find((each) => each.path === path),
    volData: Object.fromEntries(parts.flatMap((part) => part.volData).map(({path, ...file}) => [path, file])),
    problems: parts.flatMap((part) => part.problems),
  }
}

const mounted = (path: string, fsType = 'ext4'): WalkedMount => ({path, fsType, device: '8:32', local: fsType === 'ext4'})

const uid = '524a0e18-06a9-41fb-ac5a-b155004732e3'
const pod = `pods/${uid}`
const csi = 'plugins/kubernetes.io/csi'
const sha = 'b17f6528b7969544fac16a0f7c3c4cc9edf9205442af6bb1f40170098ce55a86'

/** What the kubelet lays out; what is below a path with '!' must never be listed. */
const layout: Readonly<Record<string, Leaf>> = {
  cpu_manager_state: '{}',
  [`${pod}/etc-hosts`]: '127.0.0.1 localhost',
  [`${pod}/containers/app/c339ba6d`]: '',
  [`${pod}/plugins/kubernetes.io~empty-dir/wrapped_token/ready`]: '',
  [`${pod}/volumes/kubernetes.io~csi/pv1/mount/`]: '',
  [`${pod}/volumes/kubernetes.io~csi/pv1/vol_data.json`]: '{"driverName":"d"}',
  [`${pod}/volumes/kubernetes.io~csi/pv1/mount/secret/!deep`]: 'secret',
  [`${pod}/volumes/kubernetes.io~empty-dir/cache/!a`]: '12345',
  [`${pod}/volumes/kubernetes.io~empty-dir/cache/!b`]: {link: '/etc/shadow'},
  [`${pod}/volumes/vendor~driver/flex/!x`]: '',
  [`${pod}/volume-subpaths/config/app/0/!x`]: '',
  [`${pod}/volume-subpaths/config/app/1`]: '',
  [`${pod}/volumeDevices/kubernetes.io~csi/pv2`]: {link: `/var/lib/kubelet/${csi}/volumeDevices/publish/pv2/${uid}`},
  'pods/not-a-directory': '',
  [`${csi}/hostpath.csi.k8s.io/${sha}/globalmount/!x`]: '',
  [`${csi}/hostpath.csi.k8s.io/${sha}/vol_data.json`]: '{"driverName":"new"}',
  [`${csi}/pv/pv3/globalmount/`]: '',
  [`${csi}/pv/pv3/vol_data.json`]: '{"driverName":"old"}',
  [`${csi}/volumeDevices/pv2/data/vol_data.json`]: '{"driverName":"block"}',
  [`${csi}/volumeDevices/pv2/dev/${uid}`]: '',
  [`${csi}/volumeDevices/publish/pv2/${uid}`]: '',
  [`${csi}/volumeDevices/staging/pv2/!x`]: '',
  'plugins/kubernetes.io/local-volume/mounts/!pv4/x': '',
  'plugins/csi-hostpath/csi.sock': {socket: true},
  'plugins/csi-hostpath/state/!x': '',
  'plugins_registry/hostpath.csi.k8s.io-reg.sock': {socket: true},
  'plugins_registry/nested/other-reg.sock': {socket: true},
  'plugins_registry/link-reg.sock': {link: '../plugins/csi-hostpath/csi.sock'},
  'device-plugins/kubelet_internal_checkpoint': '{}',
  'pki/!kubelet.key': '',
}

test('walk lists what the kubelet lays out, and nothing that a pod or a driver can write', async () => {
  const {paths, problems} = walked(await treeOf(layout))
  expect(problems).toEqual([])
  expect(paths.filter((path) => path.includes('!'))).toEqual([])
  const listed = Object.keys(layout)
    .filter((path) => !path.includes('!'))
    .map((path) => path.replace(/\/$/, ''))
  expect(paths).toEqual(expect.arrayContaining(listed))
  expect(paths).toHaveLength(new Set(paths).size)
  expect(paths).toEqual(
    expect.arrayContaining([
      '',
      'pki',
      'plugins/csi-hostpath/state',
      'plugins/kubernetes.io/local-volume/mounts',
      `${csi}/volumeDevices/staging/pv2`,
    ]),
  )
})

test('walk reads the vol_data.json files of the kubelet', async () => {
  const {volData} = walked(await treeOf(layout))
  expect(Object.entries(volData).map(([path, file]) => [path, 'base64' in file && atob(file.base64)])).toEqual([
    [`${csi}/hostpath.csi.k8s.io/${sha}/vol_data.json`, '{"driverName":"new"}'],
    [`${csi}/pv/pv3/vol_data.json`, '{"driverName":"old"}'],
    [`${csi}/volumeDevices/pv2/data/vol_data.json`, '{"driverName":"block"}'],
    [`${pod}/volumes/kubernetes.io~csi/pv1/vol_data.json`, '{"driverName":"d"}'],
  ])
})

test('walk counts what lies where a pod can write', async () => {
  const {entry} = walked(await treeOf(layout))
  expect(entry(`${pod}/volumes/kubernetes.io~empty-dir/cache`)?.content).toEqual({
    entries: 2,
    bytes: 5,
    newestAt: expect.any(Number) as number,
  })
  expect(entry(`${pod}/volumes/kubernetes.io~csi/pv1/mount`)?.content).toMatchObject({entries: 1, bytes: 0})
  expect(entry(`${csi}/pv/pv3/globalmount`)?.content).toEqual({entries: 0, bytes: 0})
  expect(entry(`${pod}/volumes/kubernetes.io~csi/pv1`)).not.toHaveProperty('content')
})

test('walk stops to count at 1000', async () => {
  const files = Object.fromEntries(Array.from({length: 1001}, (_, index) => [`${pod}/volumes/kubernetes.io~empty-dir/cache/${index}`, 'x']))
  const {entry} = walked(await treeOf(files))
  expect(entry(`${pod}/volumes/kubernetes.io~empty-dir/cache`)?.content).toMatchObject({entries: 1000, more: true, bytes: 1000})
})

describe('walk asks nothing of a mount point', () => {
  test.each([
    `${pod}/volumes/kubernetes.io~csi/pv1/mount`,
    `${pod}/volumes/kubernetes.io~empty-dir/cache`,
    `${pod}/volume-subpaths/config/app/0`,
    `${csi}/pv/pv3/globalmount`,
    'plugins/csi-hostpath',
    pod,
  ])('at %s', async (path) => {
    const {entry, paths, problems} = walked(await treeOf(layout), {mounts: [mounted(path)]})
    expect(entry(path)).toEqual({path, type: 'directory', mode: 0, size: 0, device: '8:32'})
    expect(paths.filter((each) => each.startsWith(`${path}/`))).toEqual([])
    expect(problems).toEqual([])
  })

  test('that is one of the entries it counts', async () => {
    const cache = `${pod}/volumes/kubernetes.io~empty-dir/cache`
    const {entry} = walked(await treeOf(layout), {mounts: [mounted(`${cache}/!a`)]})
    expect(entry(cache)?.content).toMatchObject({entries: 2, bytes: 0})
  })

  test('that is a vol_data.json', async () => {
    const {volData} = walked(await treeOf(layout), {mounts: [mounted(`${csi}/pv/pv3/vol_data.json`)]})
    expect(volData).not.toHaveProperty([`${csi}/pv/pv3/vol_data.json`])
  })
})

test("walk enters a directory of the kubelet's own where a local file system is mounted on it", async () => {
  const {paths, problems} = walked(await treeOf(layout), {mounts: [mounted('pods')]})
  expect(paths).toContain(`${pod}/etc-hosts`)
  expect(problems).toEqual([])
})

test.each(['nfs4', 'autofs'])("walk does not enter a directory of the kubelet's own where %s is mounted, and says so", async (type) => {
  const {paths, problems} = walked(await treeOf(layout), {mounts: [mounted('pods', type)]})
  expect(paths).not.toContain(pod)
  expect(problems).toEqual([`pods is not entered: ${type} is mounted there`])
})

test('walk does not count without a mount table, as it cannot tell what is mounted', async () => {
  const parts: WalkPart[] = []
  walk({root: await treeOf(layout), skip: []}, (part) => parts.push(part))
  expect(parts.flatMap(({entries}) => entries).filter((entry) => 'content' in entry)).toEqual([])
})

test("walk follows no link, and says so where it is one of the kubelet's directories", async () => {
  const root = await treeOf({
    pods: {link: 'elsewhere'},
    'elsewhere/u/etc-hosts': '',
    plugins: {link: '.'},
    'plugins_registry/x': {link: '/etc'},
  })
  const {paths, problems} = walked(root)
  expect(paths).toEqual(['', 'elsewhere', 'plugins', 'plugins_registry', 'plugins_registry/x', 'pods'])
  expect(problems).toEqual(['plugins is not entered: it is a link', 'pods is not entered: it is a link'])
})

test('walk reports a vol_data.json that is no file', async () => {
  const leaves: readonly (readonly [string, Leaf, string])[] = [
    ['a', {directory: true}, 'it is a directory'],
    ['b', {fifo: true}, 'it is a FIFO'],
    ['c', {link: 'vol_data.json'}, 'it is a link, which is not followed'],
    ['d', Buffer.alloc(10_000_000), 'it has 10000000 bytes, and no more than 65536 are looked at'],
  ]
  const path = (name: string) => `${pod}/volumes/kubernetes.io~csi/${name}/vol_data.json`
  const {volData} = walked(await treeOf(Object.fromEntries(leaves.map(([name, leaf]) => [path(name), leaf]))))
  expect(volData).toEqual(Object.fromEntries(leaves.map(([name, , unreadable]) => [path(name), {unreadable}])))
})

test('walk takes names that mean something elsewhere for names', async () => {
  const names = ['__proto__', 'constructor', 'hdishd83djaidwnduwk28bcsb', '0123456789abcdef0123456789abcdef', 'a b\n#', 'ü\u2028', '..data']
  const {paths} = walked(await treeOf(Object.fromEntries(names.map((name) => [`pods/${name}/etc-hosts`, '']))))
  expect(paths.filter((path) => path.endsWith('/etc-hosts')).sort()).toEqual(names.map((name) => `pods/${name}/etc-hosts`).sort())
})

test('walk says before each pod and each driver that it enters it, and leaves out those that it is told to', async () => {
  const root = await treeOf({'pods/a/etc-hosts': '', 'pods/b/etc-hosts': '', 'pods/c/etc-hosts': '', [`${csi}/d/s/vol_data.json`]: '{}'})
  const {parts} = walked(root)
  expect(parts.map(({entering}) => entering)).toEqual([`${csi}/d`, 'pods/a', 'pods/b', 'pods/c', ''])
  expect(parts[2]?.entries.map(({path}) => path)).toEqual(['pods/a', 'pods/a/etc-hosts'])
  const {paths} = walked(root, {skip: ['pods/a', 'pods/b']})
  expect(paths.filter((path) => path.startsWith('pods/'))).toEqual(['pods/c', 'pods/c/etc-hosts'])
})

test('walk says what it may not list, unless we are root', async () => {
  const root = await treeOf({'pods/a/etc-hosts': ''})
  chmodSync(join(root, 'pods'), 0)
  const {problems} = walked(root)
  chmodSync(join(root, 'pods'), 0o700)
  expect(problems).toEqual(process.getuid?.() === 0 ? [] : ['pods cannot be listed: EACCES'])
})

test('walk says that the root is not there', () => {
  expect(walked('/nowhere/kubelet')).toMatchObject({entries: [], problems: ['it cannot be looked at: ENOENT']})
})
