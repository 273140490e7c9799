import fc from 'fast-check'
import {expect, test} from 'vitest'
import {kubeletMounts} from '../../../src/kubelet/traces/kubelet-mounts.ts'
import type {Mount} from '../../../src/node/mountinfo.ts'
import {mountAt, snapshotOf} from '../../support/snapshot-builder.ts'

const root = '/var/lib/kubelet'
const volume = 'pods/u1/volumes/kubernetes.io~csi/pv1/mount'
const over = (mountPoint: string, more: Partial<Mount> = {}) => ({...mountAt(mountPoint), ...more})

function seen(mounts: readonly Mount[], real?: string) {
  const snapshot = snapshotOf({sources: {'kernel.mounts': mounts}})
  const index = kubeletMounts(real === undefined ? snapshot : {...snapshot, kubeletRootReal: real})
  if (index === undefined) throw new Error('the table was given')
  return index
}

const disk = over('/', {id: 1, parent: 0})

test.each<[string, readonly Mount[], string | undefined]>([
  ['the root itself', [disk, over(`${root}/${volume}`, {device: '8:16'})], undefined],
  ['a root behind a link', [disk, over(`/data/kubelet/${volume}`, {device: '8:16'})], '/data/kubelet'],
  [
    'a bind mount of the root (aws-ebs-csi-driver#1264)',
    [disk, over('/mnt/kubelet', {root}), over(`/mnt/kubelet/${volume}`, {device: '8:16'})],
    undefined,
  ],
  [
    "a bind mount of the root's parent",
    [disk, over('/mnt/lib', {root: '/var/lib'}), over(`/mnt/lib/kubelet/${volume}`, {device: '8:16'})],
    undefined,
  ],
  [
    'a root on a disk of its own, bound from elsewhere',
    [disk, over('/data', {device: '8:1'}), over(root, {device: '8:1', root: '/k'}), over(`/data/k/${volume}`, {device: '8:16'})],
    undefined,
  ],
])('kubeletMounts() sees a volume through %s', (_what, mounts, real) => {
  const index = seen(mounts, real)
  expect(index.at(volume)).toEqual([mounts.at(-1)])
  expect(index.pathsWithin('pods/u1')).toEqual([volume])
})

test.each([
  ['a path that only begins like the root', over(`${root}-old/${volume}`)],
  ['a bind mount of another directory', over(`/mnt/other/${volume}`)],
  ['the root', over(root, {root})],
])('kubeletMounts() does not take %s for a volume', (_what, mount) => {
  expect(seen([disk, over('/mnt/other', {root: '/other'}), mount]).paths).toEqual([])
})

test('kubeletMounts() tells what of its own file system a mount shows', () => {
  const index = seen([disk, over(root, {root})])
  expect(index.ownPath(over('/x', {root: `${root}/pods/u1`}))).toBe('pods/u1')
  expect(index.ownPath(over('/x', {root: '/srv'}))).toBeUndefined()
  expect(index.ownPath(over('/x', {root: `${root}/pods`, device: '8:16'}))).toBeUndefined()
})

test('kubeletMounts() finds the same below a directory as a look at every path does', () => {
  const name = fc.constantFrom('a', 'b', 'a-b', 'a0', 'ä')
  const path = fc.array(name, {minLength: 1, maxLength: 4}).map((parts) => parts.join('/'))
  fc.assert(
    fc.property(fc.uniqueArray(path), path, (paths, directory) => {
      const index = seen([disk, ...paths.map((each) => over(`${root}/${each}`))])
      const expected = paths.filter((each) => each === directory || each.startsWith(`${directory}/`))
      expect(index.pathsWithin(directory).toSorted()).toEqual(expected.toSorted())
    }),
  )
})
