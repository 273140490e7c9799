import {expect, test} from 'vitest'
import {isPodStatusByKubeletEqual, normaliseStatus} from '../../../src/kubelet/status/normalise-status.ts'
import {aPod, aStatus, containerNamed, exited, statusOf} from '../../support/model-pods.ts'

test('normaliseStatus() cuts moments to seconds and messages to their share, and sorts', () => {
  const containers = [containerNamed('b'), containerNamed('a')]
  const pod = aPod({spec: {containers, initContainers: [containerNamed('z'), containerNamed('y')]}})
  const end = {terminated: {exitCode: 1, startedAt: 1234, finishedAt: 5999, message: 'm'.repeat(5000)}}
  const status = normaliseStatus(pod, {
    ...aStatus({startTime: 1999, conditions: [{type: 'Ready', status: 'True', lastTransitionTime: 2500}]}),
    containerStatuses: [statusOf('b', {running: {startedAt: 1001}}), statusOf('a', end)],
    initContainerStatuses: [statusOf('y', exited(0)), statusOf('z', exited(0))],
  })
  expect(status.startTime).toBe(1000)
  expect(status.conditions[0]?.lastTransitionTime).toBe(2000)
  expect(status.containerStatuses).toEqual([
    statusOf('a', {terminated: {exitCode: 1, startedAt: 1000, finishedAt: 5000, message: 'm'.repeat(3072)}}),
    statusOf('b', {running: {startedAt: 1000}}),
  ])
  expect(status.initContainerStatuses.map(({name}) => name)).toEqual(['z', 'y'])
  expect(normaliseStatus(pod, status)).toEqual(status)
})

test('isPodStatusByKubeletEqual() heeds the kubelet’s conditions, but not when they changed', () => {
  const status = (type: string, is: 'True' | 'False', lastTransitionTime = 0) =>
    aStatus({conditions: [{type, status: is, lastTransitionTime}]})
  expect(isPodStatusByKubeletEqual(status('Ready', 'True'), status('Ready', 'True', 1000))).toBe(true)
  expect(isPodStatusByKubeletEqual(status('Ready', 'True'), status('Ready', 'False'))).toBe(false)
  expect(isPodStatusByKubeletEqual(aStatus(), status('Ready', 'True'))).toBe(false)
  expect(isPodStatusByKubeletEqual(status('example.com/gate', 'True'), status('example.com/gate', 'False'))).toBe(true)
  expect(isPodStatusByKubeletEqual(aStatus({phase: 'Running'}), aStatus())).toBe(false)
})
