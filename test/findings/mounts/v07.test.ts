import {expect, test} from 'vitest'
import type {Mount} from '../../../src/node/mountinfo.ts'
import {brief, findingsOf} from '../../support/brief-findings.ts'
import {driver, mounted, root, smallNode, web, webStaging, webVolume} from '../../support/small-node.ts'

const globalmount = `${webStaging}/globalmount`
const target = `${webVolume}/mount`
const layer = (path: string, id: number, parent: number, more: Partial<Mount> = {}) => mounted(path, {id, parent, ...more})

test.each<[string, readonly Mount[], readonly string[]]>([
  ['a new device upon a stale one (democratic-csi#559)', [layer(globalmount, 90, 51, {device: '8:32', source: '/dev/sdk'})], ['V07 error']],
  ['the same target published twice (aws-efs-csi-driver#695)', [layer(target, 90, 52)], ['V07 warning']],
  ['three of them', [layer(target, 90, 52), layer(target, 91, 90)], ['V07 warning']],
  [
    'memory upon memory',
    [layer(`pods/${web}/volumes/kubernetes.io~projected/token`, 90, 50, {device: '0:51', fsType: 'tmpfs'})],
    ['V07 warning'],
  ],
  ['two at one place and a hidden copy of the lower one', [layer(target, 90, 52), layer(target, 91, 42)], ['V07 warning']],
  [
    'an overlay that does not show what is below it',
    [layer(target, 90, 52, {device: '0:60', fsType: 'overlay', superOptions: 'rw,lowerdir=/a:/b'})],
    ['V07 error'],
  ],
])('V07 finds %s', (_what, more, expected) => {
  expect(brief(smallNode((node) => node.mounts.push(...more)))).toEqual(expected)
})

test.each<[string, readonly Mount[]]>([
  ['a copy that propagation made beneath: its parent is not the mount below', [layer(target, 90, 42)]],
  [
    'a directory of the root that is bound onto itself again and again (ceph-csi#1040)',
    [1, 2, 3].map((n) => layer('plugins', 90 + n, 89 + n, {device: '254:0', root: `${root}/plugins`})),
  ],
  ['a clone from another peer group', [layer(target, 90, 52, {optional: ['shared:9', 'master:7']})]],
  [
    'an automount and what it mounted',
    [layer('plugins/nfs', 90, 1, {fsType: 'autofs', device: '0:70'}), layer('plugins/nfs', 91, 90, {fsType: 'nfs4', device: '0:71'})],
  ],
  [
    'an overlay over the directory that it shows',
    [layer(target, 90, 52, {device: '0:60', fsType: 'overlay', superOptions: `rw,lowerdir=${root}/${target},upperdir=/u,workdir=/w`})],
  ],
  [
    'an emptyDir in memory that is mounted again',
    [
      layer(`pods/${web}/volumes/kubernetes.io~empty-dir/m`, 90, 1, {device: '0:80'}),
      layer(`pods/${web}/volumes/kubernetes.io~empty-dir/m`, 91, 90, {device: '0:81'}),
    ],
  ],
  ['ids that go round in a circle', [layer('plugins/x', 90, 91), layer('plugins/x', 91, 90)]],
])('V07 is silent about %s', (_what, more) => {
  const snapshot = smallNode((node) => {
    node.mounts = node.mounts.map((mount) => (mount.id === 52 ? {...mount, optional: ['shared:7']} : mount))
    node.mounts.push(...more)
  })
  expect(brief(snapshot)).toEqual([])
})

test('V07 lists the devices from the bottom to the top, and says whose they are', () => {
  const [finding] = findingsOf(smallNode((node) => node.mounts.push(layer(globalmount, 90, 51, {device: '8:32', source: '/dev/sdk'}))))
  expect(finding?.message).toContain('from the bottom: /dev/sdb (8:16), then /dev/sdk (8:32).')
  expect(finding?.subject).toEqual({kind: 'Volume', name: 'pv1', driver, handle: 'h1', path: `${root}/${globalmount}`})
  const [published] = findingsOf(smallNode((node) => node.mounts.push(layer(target, 90, 52))))
  expect(published?.subject).toMatchObject({kind: 'Volume', name: 'pv1', pod: 'web-0', podUid: web})
})

test('V07 needs the mount table and nothing else', () => {
  const snapshot = smallNode((node) => {
    node.mounts.push(layer(target, 90, 52))
    node.without = ['kubelet.pods', 'disk.entries', 'disk.vol-data', 'runtime.sandboxes', 'runtime.containers']
  })
  expect(brief(snapshot)).toEqual(['V07 warning'])
})

test('V07 does not know since when, and says that the kubelet unmounts once', () => {
  const [finding] = findingsOf(smallNode((node) => node.mounts.push(layer(target, 90, 52))))
  expect([finding?.since, finding?.next]).toEqual([undefined, expect.stringMatching(/sends NodeUnpublishVolume or NodeUnstageVolume once/)])
})
