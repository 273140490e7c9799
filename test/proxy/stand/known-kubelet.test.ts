import {expect, test} from 'vitest'
import {knownKubelet} from '../../../src/proxy/stand/known-kubelet.ts'
import {tracedCall} from '../../support/traced-calls.ts'

const service = 'runtime.v1.RuntimeService'

test.each([
  [
    'a connection that asks Status again and again',
    [
      [1, 'Status'],
      [1, 'Version'],
      [1, 'Status'],
      [1, 'Status'],
    ],
    1,
  ],
  [
    'a connection that lists again and again',
    [
      [4, 'ListPodSandbox'],
      [4, 'ListContainers'],
      [4, 'ListPodSandbox'],
    ],
    1,
  ],
  [
    'tools that come, ask once and go',
    [
      [1, 'Status'],
      [2, 'Status'],
      [3, 'ListPodSandbox'],
      [4, 'ListPodSandbox'],
    ],
    0,
  ],
  [
    'one that asks both once',
    [
      [1, 'Status'],
      [1, 'ListPodSandbox'],
    ],
    0,
  ],
  [
    'two kubelets, the first of them',
    [
      [1, 'Status'],
      [1, 'Status'],
      [2, 'Status'],
      [2, 'Status'],
    ],
    1,
  ],
  [
    'one that does other things',
    [
      [1, 'ListContainers'],
      [1, 'ListContainers'],
      [1, 'ExecSync'],
      [1, 'ExecSync'],
    ],
    0,
  ],
] as const)('knownKubelet() of %s', (_, calls, times) => {
  let seen = 0
  const hear = knownKubelet(() => seen++)
  for (const [connection, method] of calls) hear(tracedCall({connection, service, method}))
  expect(seen).toBe(times)
})

test('knownKubelet() counts no call twice, and none of another service', () => {
  let seen = 0
  const hear = knownKubelet(() => seen++)
  hear(tracedCall({connection: 1, service, method: 'Status'}))
  hear({...tracedCall({connection: 1, service, method: 'Status'}), update: true})
  for (const connection of [2, 2]) hear(tracedCall({connection, service: 'runtime.v1.ImageService', method: 'Status'}))
  expect(seen).toBe(0)
})
