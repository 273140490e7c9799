import {expect, test} from 'vitest'
import {targetOf} from '../../../src/lab/api/request-path.ts'

test.each([
  ['/api/v1/pods', {kind: 'Pod'}],
  ['/api/v1/namespaces/n/pods', {kind: 'Pod', namespace: 'n'}],
  ['/api/v1/namespaces/n/pods/a', {kind: 'Pod', namespace: 'n', name: 'a'}],
  ['/api/v1/namespaces/n/pods/a/status', {kind: 'Pod', namespace: 'n', name: 'a', subresource: 'status'}],
  ['/api/v1/namespaces', {kind: 'Namespace'}],
  ['/api/v1/namespaces/n', {kind: 'Namespace', name: 'n'}],
  ['/api/v1/namespaces/n/status', {kind: 'Namespace', name: 'n', subresource: 'status'}],
  ['/api/v1/nodes/a/status', {kind: 'Node', name: 'a', subresource: 'status'}],
  ['/apis/storage.k8s.io/v1/csinodes/a', {kind: 'CSINode', name: 'a'}],
  ['/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/a', {kind: 'Lease', namespace: 'kube-node-lease', name: 'a'}],
  ['/api/v1/namespaces/n/configmaps/a%2Eb', {kind: 'ConfigMap', namespace: 'n', name: 'a.b'}],
])('targetOf() %s', (path, expected) => {
  const {kind, ...rest} = targetOf(path) ?? {}
  expect({...rest, kind: kind?.kind}).toEqual(expected)
})

test.each([
  '/',
  '/api',
  '/api/v1',
  '/api/v1/widgets',
  '/api/v1/pods/a',
  '/api/v1/namespaces/n/nodes',
  '/api/v1/namespaces/n/pods/a/log',
  '/api/v1/namespaces/n/pods/a/status/b',
  '/apis/apps/v1/deployments',
  '/apis/storage.k8s.io/v2/csinodes',
  '/metrics',
])('targetOf() knows no %s', (path) => {
  expect(targetOf(path)).toBeUndefined()
})
