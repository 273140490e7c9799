import {describe, expect, test} from 'vitest'
import type {PodStatus} from '../../src/kubelet/pod.ts'
import {profileOf} from '../../src/kubelet/profiles.ts'
import {aPod, aStatus, deleted, exited, running, start, statusOf, unknownEnd, waiting} from '../support/model-pods.ts'
import {statusWorld} from '../support/status-world.ts'

const today = profileOf('1.36.2')
const ready: PodStatus = aStatus({
  phase: 'Running',
  conditions: [
    {type: 'Ready', status: 'True'},
    {type: 'ContainersReady', status: 'True'},
  ],
  containerStatuses: [statusOf('c', running, {ready: true, containerID: 'lab://c-0'})],
})

describe('setPodStatus()', () => {
  test('keeps the first start time, and when a condition changed until it does', async () => {
    const {manager, put, at} = statusWorld({profile: today})
    const pod = put(aPod())
    await at(1500)
    manager.setPodStatus(pod, ready)
    await at(5000)
    const unready = ready.conditions.map((each) => ({...each, status: each.type === 'Ready' ? ('False' as const) : each.status}))
    manager.setPodStatus(pod, {...ready, startTime: start + 5000, conditions: unready})
    expect(manager.getPodStatus('u1')).toMatchObject({
      startTime: start + 1000,
      conditions: [
        {type: 'Ready', status: 'False', lastTransitionTime: start + 5000},
        {type: 'ContainersReady', status: 'True', lastTransitionTime: start + 1000},
      ],
    })
  })

  test('drops the whole status when one container would start again that may not', async () => {
    const {manager, put, at, logs} = statusWorld({profile: profileOf('1.17.3')})
    const pod = put(deleted(aPod({spec: {restartPolicy: 'Never'}})))
    const before = aStatus({containerStatuses: [statusOf('bad', exited(1)), statusOf('ok', running)]})
    manager.setPodStatus(pod, before)
    manager.setPodStatus(pod, {...before, containerStatuses: [statusOf('bad', waiting('PostStartHookError')), statusOf('ok', exited(137))]})
    await at(1)
    expect(manager.getPodStatus('u1')?.containerStatuses.map(({state}) => state)).toEqual([exited(1), running])
    expect(logs()).toContainEqual({
      kind: 'log',
      at: start,
      text: 'Status update on pod aborted',
      pod: 'default/web',
      fields: {error: 'terminated container bad attempted illegal transition to non-terminated state'},
    })
  })

  test('says nothing that is not new, but of a deleted pod', async () => {
    const {manager, put, at, requests} = statusWorld({profile: profileOf('1.17.3')})
    const pod = put(aPod())
    manager.setPodStatus(pod, ready)
    manager.setPodStatus(pod, ready)
    await at(1)
    expect(requests()).toEqual(['GET default/web', 'PATCH default/web'])
    manager.setPodStatus(deleted(pod), ready)
    await at(2)
    expect(requests()).toHaveLength(4)
  })
})

describe('setContainerReadiness()', () => {
  test('changes the container and what depends on it', () => {
    const {manager, put} = statusWorld({profile: today})
    manager.setPodStatus(put(aPod()), ready)
    manager.setContainerReadiness('u1', 'lab://c-0', false)
    const status = manager.getPodStatus('u1')
    expect(status?.containerStatuses[0]?.ready).toBe(false)
    expect(status?.conditions.map(({type, status: is, reason}) => [type, is, reason])).toEqual([
      ['Ready', 'False', 'ContainersNotReady'],
      ['ContainersReady', 'False', 'ContainersNotReady'],
    ])
  })

  test('heeds no container that is not there', () => {
    const {manager, put} = statusWorld({profile: today})
    manager.setContainerReadiness('u1', 'lab://c-0', false)
    manager.setPodStatus(put(aPod()), ready)
    manager.setContainerReadiness('u1', 'lab://c-1', false)
    manager.setContainerReadiness('u2', 'lab://c-0', false)
    expect(manager.getPodStatus('u1')?.containerStatuses[0]?.ready).toBe(true)
  })
})

describe('terminatePod()', () => {
  test('ends the cached status, else the pod’s', () => {
    const {manager, put} = statusWorld({profile: today})
    const pod = put(aPod({status: {containerStatuses: [statusOf('c', running)]}}))
    manager.terminatePod(pod)
    expect(manager.getPodStatus('u1')).toMatchObject({phase: 'Failed', containerStatuses: [{state: unknownEnd}]})
    manager.setPodStatus(aPod({metadata: {uid: 'u2'}}), {...ready, containerStatuses: [statusOf('c', exited(0))]})
    manager.terminatePod(aPod({metadata: {uid: 'u2'}, status: {containerStatuses: [statusOf('c', running)]}}))
    expect(manager.getPodStatus('u2')?.containerStatuses[0]?.state).toEqual(exited(0))
  })

  test('says when it makes a pod fail', () => {
    const {manager, put, texts} = statusWorld({profile: today})
    manager.setPodStatus(put(aPod()), {...ready, containerStatuses: [statusOf('c', exited(0))]})
    manager.terminatePod(aPod())
    expect(texts()).toEqual([
      'Terminal running pod should have already been marked as failed, programmer error',
      'Marking terminal pod as failed',
    ])
  })

  test('1.17.3 writes exit code 0 over an exit of 1', () => {
    const {manager, put} = statusWorld({profile: profileOf('1.17.3')})
    const pod = put(deleted(aPod({spec: {restartPolicy: 'Never'}})))
    manager.setPodStatus(pod, aStatus({phase: 'Failed', containerStatuses: [statusOf('c', exited(1))]}))
    manager.terminatePod(pod)
    expect(manager.getPodStatus('u1')).toMatchObject({phase: 'Failed', containerStatuses: [{state: {terminated: {exitCode: 0}}}]})
  })
})

test('removeOrphanedStatuses() forgets all but those pods', () => {
  const {manager} = statusWorld({profile: today})
  for (const uid of ['u1', 'u2']) manager.setPodStatus(aPod({metadata: {uid}}), ready)
  manager.removeOrphanedStatuses(new Set(['u2']))
  expect(['u1', 'u2'].map((uid) => manager.getPodStatus(uid) !== undefined)).toEqual([false, true])
})
