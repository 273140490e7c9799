import {expect, test} from 'vitest'
import {belowRoot, onHost} from '../../src/node/below-root.ts'

const roots = {kubeletRoot: '/var/lib/kubelet', kubeletRootReal: '/mnt/kubelet'}

test.each([
  ['/var/lib/kubelet', ''],
  ['/var/lib/kubelet/pods/u1', 'pods/u1'],
  ['/mnt/kubelet', ''],
  ['/mnt/kubelet/pods', 'pods'],
  ['/var/lib/kubelet2/pods', undefined],
  ['/var/lib', undefined],
  ['', undefined],
])('belowRoot() of %s is %j', (path, expected) => {
  expect(belowRoot(roots)(path)).toBe(expected)
})

test('belowRoot() knows one name of the root where there is one', () => {
  expect(belowRoot({kubeletRoot: '/k'})('/mnt/kubelet/pods')).toBeUndefined()
})

test('onHost() gives the path under the root as it was named', () => {
  expect([onHost(roots, ''), onHost(roots, 'pods')]).toEqual(['/var/lib/kubelet', '/var/lib/kubelet/pods'])
})
