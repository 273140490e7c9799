import {expect, test} from 'vitest'
import {CallFailure} from '../../../src/kubelet/port.ts'
import {profileOf} from '../../../src/kubelet/profiles.ts'
import {containerKiller} from '../../../src/kubelet/runtime/kill-container.ts'
import type {RemoteRuntime} from '../../../src/kubelet/runtime/remote-runtime.ts'
import {errorOf} from '../../../src/kubelet/runtime/sync-result.ts'
import {aPod, inRuntime, switched} from '../../support/model-pods.ts'
import {sandboxOf} from '../../support/model-sandboxes.ts'

const today = profileOf('1.36.2')

function killerOf(profile: typeof today, fails?: CallFailure) {
  const asked: {method: string; timeout?: number}[] = []
  const runtime = (async (method: string, request: {timeout?: number}) => {
    asked.push({method, ...(request.timeout !== undefined && {timeout: request.timeout})})
    if (fails !== undefined) throw fails
    return {}
  }) as RemoteRuntime
  return {asked, ...containerKiller(profile, runtime, () => {}, new AbortController().signal)}
}

const things = {containers: [inRuntime('a', 'RUNNING'), inRuntime('b', 'RUNNING')], sandboxes: [sandboxOf('s1')]}

test('killPod() stops all containers, then the sandbox', async () => {
  const {killPod, asked} = killerOf(today)
  const result = await killPod(aPod(), things)
  expect(asked.map(({method}) => method)).toEqual(['StopContainer', 'StopContainer', 'StopPodSandbox'])
  expect(errorOf(result)).toBeUndefined()
})

test('killPod() stops the sandbox of containers that could not be stopped, and tells of all that failed', async () => {
  const {killPod, asked} = killerOf(today, new CallFailure('DEADLINE_EXCEEDED', 'context deadline exceeded'))
  const result = await killPod(aPod(), things)
  expect(asked).toHaveLength(3)
  expect(result.syncResults.map(({error}) => error?.reason)).toEqual(['KillContainerError', 'KillContainerError', 'KillPodSandboxError'])
})

test('killPod() takes what the runtime does not know for stopped, with gone-is-stopped', async () => {
  const gone = new CallFailure('NOT_FOUND', 'not found')
  expect(errorOf(await killerOf(today, gone).killPod(aPod(), things))).toBeUndefined()
  expect(errorOf(await killerOf(switched('1.36.2', 'gone-is-stopped', false), gone).killPod(aPod(), things))).toBeDefined()
})

test.each([
  ["the pod's own", aPod(), undefined, 30, 30],
  ["the deletion's", aPod({metadata: {deletionGracePeriodSeconds: 10}}), undefined, 10, 10],
  ['two seconds at least', aPod({metadata: {deletionGracePeriodSeconds: 0}}), undefined, 2, 2],
  ["the caller's", aPod(), 7, 7, 7],
  ["the caller's, with a floor today alone", aPod(), 0, 0, 2],
  ['the default for a pod that nobody knows', undefined, undefined, 30, 30],
] as const)('killContainer() gives a container %s', async (_, pod, override, before, now) => {
  const asked = async (profile: typeof today) => {
    const killer = killerOf(profile)
    await killer.killContainer(pod, inRuntime('a', 'RUNNING'), override)
    return killer.asked[0]?.timeout
  }
  expect([await asked(profileOf('1.17.3')), await asked(today)]).toEqual([before, now])
  expect(await asked(switched('1.36.2', 'grace-floor-last', false))).toBe(before)
})

test('killContainer() gives a container of a pod that is gone what the pod had', async () => {
  const {killContainer, rememberGrace, asked} = killerOf(today)
  rememberGrace(aPod({spec: {terminationGracePeriodSeconds: 12}}))
  await killContainer(undefined, inRuntime('a', 'RUNNING'))
  expect(asked[0]?.timeout).toBe(12)
})
