import {expect, test} from 'vitest'
import {simulatedClock} from '../../../src/base/simulated-clock.ts'
import {CallFailure} from '../../../src/kubelet/port.ts'
import {profileOf} from '../../../src/kubelet/profiles.ts'
import {backOff} from '../../../src/kubelet/runtime/back-off.ts'
import {imageManager} from '../../../src/kubelet/runtime/image-manager.ts'
import {containerKiller} from '../../../src/kubelet/runtime/kill-container.ts'
import {kubeRuntime} from '../../../src/kubelet/runtime/kuberuntime.ts'
import type {RemoteRuntime} from '../../../src/kubelet/runtime/remote-runtime.ts'
import {containerStarter} from '../../../src/kubelet/runtime/start-container.ts'
import {errorOf} from '../../../src/kubelet/runtime/sync-result.ts'
import {aPod, containerNamed, inRuntime, start} from '../../support/model-pods.ts'
import {inSandbox, sandboxOf} from '../../support/model-sandboxes.ts'

/** A runtime that does as it is told, but for what is named. */
function syncer({fails = [], present = true, hookExits = 0}: {fails?: readonly string[]; present?: boolean; hookExits?: number} = {}) {
  const asked: string[] = []
  const answers: Record<string, object> = {
    RunPodSandbox: {podSandboxId: 's1'},
    CreateContainer: {containerId: 'new'},
    ImageStatus: {present},
    ExecSync: {exitCode: hookExits},
  }
  const runtime = (async (method: string) => {
    asked.push(method)
    if (fails.includes(method)) throw new CallFailure('UNKNOWN', `no ${method}`)
    return answers[method] ?? {}
  }) as RemoteRuntime
  const clock = simulatedClock(start + 2000)
  const {signal} = new AbortController()
  const profile = profileOf('1.36.2')
  const killer = containerKiller(profile, runtime, () => {}, signal)
  const images = imageManager({clock, runtime, backOff: backOff(clock), signal})
  const starter = containerStarter({runtime, images, killer, mountedVolumes: () => new Map(), signal})
  return {asked, clock, sync: kubeRuntime({profile, runtime, killer, start: starter, backOff: backOff(clock), signal})}
}

const empty = inSandbox([], [])
const postStart = {lifecycle: {postStart: {exec: {command: ['true']}}}}

test('SyncPod asks the runtime for a sandbox, then for each container in turn', async () => {
  const {sync, asked} = syncer({present: false})
  const containers = [containerNamed('a', postStart), containerNamed('b')]
  const result = await sync(aPod({spec: {containers}}), empty)
  expect(asked).toEqual(
    [
      ['RunPodSandbox', 'PodSandboxStatus'],
      ['ImageStatus', 'PullImage', 'CreateContainer', 'StartContainer', 'ExecSync'],
      ['ImageStatus', 'PullImage', 'CreateContainer', 'StartContainer'],
    ].flat(),
  )
  expect(result.syncResults.map(({action, container}) => `${action} ${container}`)).toEqual([
    'CreatePodSandbox default/web',
    'StartContainer a',
    'StartContainer b',
  ])
  expect(errorOf(result)).toBeUndefined()
})

test.each([
  ['RunPodSandbox', undefined, 'CreatePodSandboxError'],
  ['ImageStatus', 'ImageInspectError', 'ImageInspectError'],
  ['PullImage', 'ErrImagePull', 'ErrImagePull'],
  ['CreateContainer', 'CreateContainerError', 'CreateContainerError'],
  ['StartContainer', 'RunContainerError', 'RunContainerError'],
  ['ExecSync', 'PostStartHookError', 'PostStartHookError'],
])('SyncPod tells of a failed %s as %s of the container', async (method, ofContainer, reason) => {
  const {sync, asked} = syncer({fails: [method], present: false})
  const result = await sync(aPod({spec: {containers: [containerNamed('a', postStart)]}}), empty)
  expect(result.syncResults.find(({action}) => action === 'StartContainer')?.error?.reason).toBe(ofContainer)
  expect(result.syncResults.find(({error}) => error !== undefined)?.error?.reason).toBe(reason)
  expect(asked.at(-1)).toBe(method === 'ExecSync' ? 'StopContainer' : method)
})

test('SyncPod fails as a whole when the sandbox that it made cannot be read', async () => {
  const {sync} = syncer({fails: ['PodSandboxStatus']})
  const result = await sync(aPod(), empty)
  expect(result.syncError).toContain('no PodSandboxStatus')
  expect(errorOf(result)?.message).toContain('no PodSandboxStatus')
})

test('SyncPod kills a container whose hook ends with another code than 0', async () => {
  const {sync, asked} = syncer({hookExits: 7})
  const result = await sync(aPod({spec: {containers: [containerNamed('a', postStart)]}}), empty)
  expect(asked.at(-1)).toBe('StopContainer')
  expect(errorOf(result)?.message).toContain('exited with 7')
})

test('SyncPod starts what has ended at once the first time, and then waits from its end on', async () => {
  const {sync, asked, clock} = syncer()
  const ended = inSandbox([inRuntime('c', 'EXITED', {exitCode: 1})])
  expect(errorOf(await sync(aPod(), ended))).toBeUndefined()
  const {syncResults} = await sync(aPod(), ended)
  expect(syncResults.at(-1)).toMatchObject({error: {reason: 'CrashLoopBackOff'}, backOffUntil: start + 11_000})
  expect(asked.filter((method) => method === 'StartContainer')).toHaveLength(1)
  await clock.run(start + 11_000)
  expect(errorOf(await sync(aPod(), ended))).toBeUndefined()
})

test('SyncPod starts the other containers when one cannot be started, and no more when an init container cannot', async () => {
  const {sync} = syncer({fails: ['CreateContainer']})
  const containers = [containerNamed('a'), containerNamed('b')]
  const started = async (spec: object) =>
    (await sync(aPod({spec: {containers, ...spec}}), empty)).syncResults.filter(({action}) => action === 'StartContainer')
  expect((await started({})).map(({container}) => container)).toEqual(['a', 'b'])
  expect((await started({initContainers: [containerNamed('i')]})).map(({container}) => container)).toEqual(['i'])
})

test('SyncPod stops the old sandbox before it makes a new one, and makes none when that fails', async () => {
  const dead = inSandbox([], [sandboxOf('s1', {state: 'NOTREADY'})])
  const well = syncer()
  await well.sync(aPod(), dead)
  expect(well.asked.slice(0, 2)).toEqual(['StopPodSandbox', 'RunPodSandbox'])
  const ill = syncer({fails: ['StopPodSandbox']})
  await ill.sync(aPod(), dead)
  expect(ill.asked).toEqual(['StopPodSandbox'])
})

test('SyncPod removes all but the newest of an init container that failed', async () => {
  const {sync, asked} = syncer()
  const old = [2, 1, 0].map((attempt) => inRuntime('i', 'EXITED', {id: `i${attempt}`, exitCode: 1, metadata: {name: 'i', attempt}}))
  await sync(aPod({spec: {initContainers: [containerNamed('i')]}}), inSandbox(old))
  expect(asked.filter((method) => method === 'RemoveContainer')).toHaveLength(2)
})
