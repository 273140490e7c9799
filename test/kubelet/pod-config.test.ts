import {expect, test} from 'vitest'
import type {Pod} from '../../src/kubelet/pod.ts'
import {podConfig} from '../../src/kubelet/pod-config.ts'
import {aPod, aStatus, deleted, running, statusOf} from '../support/model-pods.ts'

const pod = aPod()
const told = {...pod, status: aStatus({phase: 'Running', containerStatuses: [statusOf('c', running)]})}

test.each<[string, Pod, string | undefined]>([
  ['its deletion', deleted(pod), 'DELETE'],
  ['a shorter grace', {...pod, metadata: {...pod.metadata, deletionGracePeriodSeconds: 1}}, 'UPDATE'],
  ['another spec', aPod({spec: {activeDeadlineSeconds: 1}}), 'UPDATE'],
  ['another status', told, 'RECONCILE'],
  ['other finalizers', {...pod, metadata: {...pod.metadata, finalizers: ['example.com/held']}}, undefined],
  ['a status that is another object with the same in it', {...pod, status: {...pod.status}}, undefined],
])('update() of a pod with %s', (_, changed, op) => {
  const config = podConfig()
  expect(config.update({type: 'ADDED', pod})).toEqual({op: 'ADD', pod})
  expect(config.update({type: 'MODIFIED', pod: changed})?.op).toBe(op)
})

test('update() tells of a pod that is gone as it was last known, once', () => {
  const config = podConfig()
  config.update({type: 'ADDED', pod})
  config.update({type: 'MODIFIED', pod: told})
  expect(config.update({type: 'DELETED', pod})).toEqual({op: 'REMOVE', pod: told})
  expect(config.update({type: 'DELETED', pod})).toBeUndefined()
})
