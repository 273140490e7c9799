import {expect, test} from 'vitest'
import {nodeImages} from '../../../src/lab/remote/node-images.ts'

const names = [
  'registry.k8s.io/pause:3.9',
  'quay.io/x/busybox:2',
  'docker.io/library/nginx:latest',
  `docker.io/library/busybox@sha256:${'a'.repeat(64)}`,
]

test.for([
  ['nginx', 'nginx'],
  ['docker.io/library/nginx:latest', 'docker.io/library/nginx:latest'],
  ['kubelimbo/lab:1', names[3]],
  ['busybox:1.36', names[3]],
  ['registry.invalid/nothing:1', undefined],
  ['registry.invalid:5000/nothing', undefined],
] as const)('nodeImages() has %s made of %s', ([image, is]) => {
  expect(nodeImages(names)(image)).toBe(is)
})

test('nodeImages() has all made of the chosen one, but what cannot be had', () => {
  const images = nodeImages(names, 'quay.io/x/busybox:2')
  expect(['nginx', 'busybox', 'registry.invalid/nothing:1'].map(images)).toEqual(['quay.io/x/busybox:2', 'quay.io/x/busybox:2', undefined])
})

test("nodeImages() takes the lab's own where there is no busybox", () => {
  expect(nodeImages(['docker.io/kubelimbo/lab:1'])('busybox')).toBe('docker.io/kubelimbo/lab:1')
})

test.for([
  [[], undefined, 'must have some busybox: it has no image'],
  [['a/b:1', 'a/c:1'], undefined, 'must have some busybox: it has a/b:1, a/c:1'],
  [names, 'docker.io/library/alpine:3', 'must have docker.io/library/alpine:3: it has registry.k8s.io/pause:3.9'],
] as const)('nodeImages() says what the node has when it has nothing that would do, %j', ([has, chosen, message]) => {
  expect(() => nodeImages(has, chosen)).toThrow(expect.objectContaining({message: expect.stringContaining(message), exit: 3}))
})
