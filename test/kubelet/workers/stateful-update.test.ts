import {expect, test} from 'vitest'
import {newPodSyncStatus, type PodSyncStatus, type PodUpdate, workTypeOf} from '../../../src/kubelet/workers/pod-sync-status.ts'
import {accept, firstStatus} from '../../../src/kubelet/workers/stateful-update.ts'
import {aPod, deleted, inRuntime, runtimePod} from '../../support/model-pods.ts'
import {inSandbox, sandboxOf} from '../../support/model-sandboxes.ts'

const failed = aPod({status: {phase: 'Failed'}})
const over = inSandbox([inRuntime('c', 'EXITED')], [sandboxOf('s1', {state: 'NOTREADY'})])

test.each([
  ['runs one that is new', aPod(), runtimePod(), 'sync'],
  ['takes one that has ended, with nothing of it left, for terminated', failed, over, 'terminated'],
  ['does not when a container still runs', failed, inSandbox([inRuntime('c', 'RUNNING')]), 'sync'],
  ['does not when its sandbox is ready', failed, inSandbox([]), 'sync'],
  ['does not when the runtime could not be read', failed, undefined, 'sync'],
] as const)('firstStatus() of a pod %s', (_, pod, runtime, expected) => {
  expect(workTypeOf(firstStatus({type: 'create', pod}, runtime, 1, false))).toBe(expected)
})

const evict: PodUpdate = {type: 'kill', pod: aPod(), kill: {evict: true, grace: 0}}

test.each<[string, PodUpdate, string]>([
  ['goes on with a pod that has changed', {type: 'update', pod: aPod()}, 'sync'],
  ['ends a pod that is deleted', {type: 'update', pod: deleted(aPod())}, 'terminating'],
  ['ends a pod that the API server takes for failed', {type: 'sync', pod: failed}, 'terminating'],
  ['ends a pod that is evicted', evict, 'terminating'],
  ['ends a pod that only the runtime knows', {type: 'kill', runningPod: runtimePod(), kill: {grace: 1}}, 'terminating'],
])('accept() %s', (_, update, expected) => {
  const status = newPodSyncStatus()
  expect(accept(status, update, 1)).toBeDefined()
  expect(workTypeOf(status)).toBe(expected)
})

test('accept() cuts short what runs when the pod begins to end or gets less time, and not else', () => {
  const status = newPodSyncStatus()
  const graceOf = (deletionGracePeriodSeconds: number): PodUpdate => ({
    type: 'update',
    pod: aPod({metadata: {deletionTimestamp: 1, deletionGracePeriodSeconds}}),
  })
  const cuts = [30, 30, 60, 10].map((grace) => accept(status, graceOf(grace), 1))
  expect(cuts.map((each) => each?.cancels)).toEqual([true, false, false, true])
  expect(cuts.map((each) => each?.update.kill?.grace)).toEqual([30, 30, 30, 10])
})

test('accept() knows a pod of the runtime by the pod that it had before', () => {
  const status: PodSyncStatus = {...newPodSyncStatus(), activeUpdate: {type: 'create', pod: aPod()}}
  const accepted = accept(status, {type: 'kill', runningPod: runtimePod(), kill: {grace: 1}}, 1)
  expect(accepted?.update).toMatchObject({pod: aPod(), kill: {grace: 1}})
  expect(accepted?.update).not.toHaveProperty('runningPod')
})

test('accept() changes nothing of a pod that has finished', () => {
  expect(accept({...newPodSyncStatus(), finished: true}, evict, 1)).toBeUndefined()
})

test('accept() answers whoever kills what has terminated', () => {
  let done = 0
  const status: PodSyncStatus = {...newPodSyncStatus(), terminatingAt: 1, terminatedAt: 1}
  accept(status, {...evict, kill: {onCompleted: () => done++}}, 2)
  expect(done).toBe(1)
})
