import {expect, test} from 'vitest'
import {coveringMount, isLocal, mountPointsBelow} from '../../../src/node/disk/mount-points.ts'
import {parseMountinfo} from '../../../src/node/mountinfo.ts'

const table = (...mounts: readonly (readonly [string, string, string])[]) =>
  parseMountinfo(mounts.map(([at, type, device], index) => `${index + 2} 1 ${device} / ${at} rw - ${type} x rw\n`).join(''))

test('mountPointsBelow has each mount point once, under both names of the root, with what is mounted topmost', () => {
  const mounts = table(
    ['/', 'ext4', '254:0'],
    ['/data/kubelet', 'xfs', '8:1'],
    ['/data/kubelet/pods/u/volumes/kubernetes.io~csi/a/mount', 'ext4', '8:32'],
    ['/data/kubelet/pods/u/volumes/kubernetes.io~csi/a/mount', 'xfs', '8:48'],
    ['/var/lib/kubelet/pods/u/volumes/kubernetes.io~nfs/b', 'nfs4', '0:57'],
    ['/var/lib/kubelet-other/pods/u', 'tmpfs', '0:58'],
  )
  expect(mountPointsBelow(['/data/kubelet', '/var/lib/kubelet'], mounts)).toEqual([
    {
      mountPoint: '/data/kubelet/pods/u/volumes/kubernetes.io~csi/a/mount',
      path: 'pods/u/volumes/kubernetes.io~csi/a/mount',
      fsType: 'xfs',
      device: '8:48',
    },
    {
      mountPoint: '/var/lib/kubelet/pods/u/volumes/kubernetes.io~nfs/b',
      path: 'pods/u/volumes/kubernetes.io~nfs/b',
      fsType: 'nfs4',
      device: '0:57',
    },
  ])
})

test.each([
  ['/net/home/kubelet', 'autofs'],
  ['/var/lib/kubelet', 'xfs'],
  ['/var/lib/kubeletx', 'ext4'],
])('coveringMount finds the topmost mount above %s: %s', (path, fsType) => {
  const mounts = table(['/', 'rootfs', '0:1'], ['/', 'ext4', '254:0'], ['/net', 'autofs', '0:40'], ['/var/lib/kubelet', 'xfs', '8:1'])
  expect(coveringMount(path, mounts)?.fsType).toBe(fsType)
})

test('isLocal holds only what needs no server and no daemon', () => {
  const types = 'ext4 xfs tmpfs nfs nfs4 cifs fuse fuse.s3fs fuseblk ceph 9p virtiofs autofs somethingnew'.split(' ')
  expect(types.filter(isLocal)).toEqual(['ext4', 'xfs', 'tmpfs'])
})
