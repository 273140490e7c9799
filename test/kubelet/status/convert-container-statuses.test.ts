import {describe, expect, test} from 'vitest'
import type {ContainerState, ContainerStatus, Pod} from '../../../src/kubelet/pod.ts'
import {type Profile, profileOf} from '../../../src/kubelet/profiles.ts'
import {type ReasonCache, reasonCache} from '../../../src/kubelet/reason-cache.ts'
import type {RuntimePodStatus} from '../../../src/kubelet/runtime/runtime-pod.ts'
import {convertToAPIContainerStatuses} from '../../../src/kubelet/status/convert-container-statuses.ts'
import {
  aPod,
  containerNamed,
  deleted,
  exited,
  inRuntime,
  running,
  runtimePod,
  start,
  statusOf,
  switched,
  unknownEnd,
  waiting,
} from '../../support/model-pods.ts'

const versions = ['1.17.3', '1.18.2', '1.21.2', '1.26.5', '1.36.2'] as const

interface Asked {
  readonly profile: Profile
  readonly pod?: Pod
  readonly podStatus?: RuntimePodStatus
  readonly previous?: ContainerStatus
  readonly reasons?: ReasonCache
}

/** What is told of container c. */
function told({profile, pod = aPod(), podStatus = runtimePod(), previous, reasons = reasonCache()}: Asked): ContainerStatus {
  const options = {
    profile,
    runtimeName: 'lab',
    reasonCache: reasons,
    pod,
    podStatus,
    which: 'containers',
    previous: previous ? [previous] : [],
  } as const
  const [status] = convertToAPIContainerStatuses(options)
  if (status === undefined) throw new Error('no status')
  return status
}

const killed: ContainerState = {
  terminated: {
    exitCode: 137,
    reason: 'ContainerStatusUnknown',
    message: 'The container could not be located when the pod was deleted.  The container used to be Running',
  },
}

describe('convertToAPIContainerStatuses() of what the runtime has', () => {
  const today = profileOf('1.36.2')

  test('takes over what runs', () => {
    expect(told({profile: today, podStatus: runtimePod(inRuntime('c', 'RUNNING', {metadata: {name: 'c', attempt: 2}}))})).toEqual(
      statusOf('c', running, {restartCount: 2, containerID: 'lab://c-0'}),
    )
  })

  test('takes over how it ended', () => {
    const podStatus = runtimePod(inRuntime('c', 'EXITED', {exitCode: 1, reason: 'Error', message: 'no'}))
    expect(told({profile: today, podStatus}).state).toEqual({
      terminated: {exitCode: 1, reason: 'Error', message: 'no', startedAt: start, finishedAt: start + 1000, containerID: 'lab://c-0'},
    })
  })

  test('has the one before as the last state and forgets those before it', () => {
    const podStatus = runtimePod(
      inRuntime('c', 'RUNNING', {id: 'c-2'}),
      inRuntime('c', 'EXITED', {id: 'c-1', exitCode: 1}),
      inRuntime('c', 'EXITED', {id: 'c-0', exitCode: 2}),
    )
    expect(told({profile: today, podStatus}).lastState).toMatchObject({terminated: {exitCode: 1, containerID: 'lab://c-1'}})
  })

  test('knows no containers but the spec’s, and sorts them by name', () => {
    const pod = aPod({spec: {containers: [containerNamed('d'), containerNamed('c')]}})
    const podStatus = runtimePod(inRuntime('d', 'RUNNING'), inRuntime('x', 'RUNNING'))
    const options = {
      profile: today,
      runtimeName: 'lab',
      reasonCache: reasonCache(),
      pod,
      podStatus,
      which: 'containers',
      previous: [],
    } as const
    expect(convertToAPIContainerStatuses(options).map(({name, state}) => [name, state])).toEqual([
      ['c', waiting()],
      ['d', running],
    ])
  })

  test.each<readonly [what: string, on: boolean, state: ContainerState]>([
    ['ended with 0 and an id without created-waits', false, {terminated: {exitCode: 0, containerID: 'lab://c-0'}}],
    ['waits with created-waits', true, {waiting: {}}],
  ])('a container that was only created %s', (_what, on, state) => {
    const podStatus = runtimePod(inRuntime('c', 'CREATED'))
    expect(told({profile: switched('1.21.2', 'created-waits', on), podStatus}).state).toEqual(state)
  })

  test('a container that was only created waits from 1.25 on', () => {
    const states = versions.map((version) =>
      Object.keys(told({profile: profileOf(version), podStatus: runtimePod(inRuntime('c', 'CREATED'))}).state),
    )
    expect(states.flat()).toEqual(['terminated', 'terminated', 'terminated', 'waiting', 'waiting'])
  })
})

describe('convertToAPIContainerStatuses() of what the runtime does not know', () => {
  test('keeps how it ended, in every version', () => {
    const previous = statusOf('c', exited(1), {restartCount: 3, containerID: 'lab://c-0'})
    for (const version of versions) expect(told({profile: profileOf(version), previous})).toEqual(previous)
  })

  test.each(versions)('keeps the last state of one that waits, in %s', (version) => {
    const previous = statusOf('c', waiting('CrashLoopBackOff'), {lastState: exited(1), restartCount: 3})
    const expected = statusOf('c', waiting(), {lastState: exited(1), restartCount: 3})
    expect(told({profile: profileOf(version), previous})).toEqual(expected)
  })

  test.each<readonly [version: string, alive: ContainerStatus, deleted: ContainerStatus]>([
    ['1.17.3', statusOf('c', waiting(), {restartCount: 3}), statusOf('c', waiting(), {restartCount: 3})],
    ['1.21.2', statusOf('c', waiting(), {restartCount: 3}), statusOf('c', waiting(), {restartCount: 3, lastState: killed})],
    [
      '1.26.5',
      statusOf('c', waiting(), {restartCount: 4, lastState: killed}),
      statusOf('c', waiting(), {restartCount: 3, lastState: killed}),
    ],
  ])('of one that ran, in %s', (version, ...expected) => {
    const profile = profileOf(version)
    const previous = statusOf('c', running, {restartCount: 3, containerID: 'lab://c-0'})
    expect([told({profile, previous}), told({profile, previous, pod: deleted(aPod())})]).toEqual(expected)
  })

  test('leaves the last state that one that ran had', () => {
    const previous = statusOf('c', running, {lastState: exited(2), restartCount: 1})
    expect(told({profile: profileOf('1.36.2'), previous})).toEqual(statusOf('c', waiting(), {lastState: exited(2), restartCount: 1}))
  })

  test('says PodInitializing where there are init containers', () => {
    const pod = aPod({spec: {initContainers: [containerNamed('i')]}})
    expect(told({profile: profileOf('1.36.2'), pod}).state).toEqual(waiting('PodInitializing'))
  })

  test.each([
    ['missing-killed', [undefined, killed]],
    ['missing-restarted', [undefined, killed]],
  ] as const)('with and without %s', (name, expected) => {
    const last = (on: boolean) => told({profile: switched('1.26.5', name, on), previous: statusOf('c', running)}).lastState
    expect([last(false), last(true)]).toEqual(expected)
  })

  test.each<readonly [what: string, old: ContainerState, without: ContainerState, with_: ContainerState]>([
    ['ran', running, {waiting: {}}, unknownEnd],
    ['waited', waiting(), {waiting: {}}, {waiting: {}}],
    ['ended', exited(0), {waiting: {}}, {waiting: {}}],
  ])('an unknown state of one that %s', (_what, old, ...expected) => {
    const podStatus = runtimePod(inRuntime('c', 'UNKNOWN'))
    const state = (on: boolean) => told({profile: switched('1.21.2', 'missing-killed', on), podStatus, previous: statusOf('c', old)})
    expect([state(false).state, state(true).state]).toEqual(expected)
    expect(state(true).restartCount).toBe('running' in old ? 1 : 0)
  })
})

describe('convertToAPIContainerStatuses() with and without last-state-kept', () => {
  const both = (previous: ContainerStatus, podStatus: RuntimePodStatus) =>
    [false, true].map((on) => {
      const {lastState, restartCount} = told({profile: switched('1.36.2', 'last-state-kept', on), previous, podStatus})
      return {lastState, restartCount}
    })
  const next = (state: 'RUNNING' | 'CREATED', attempt: number) =>
    runtimePod(inRuntime('c', state, {id: 'c-1', metadata: {name: 'c', attempt}}))

  test('the end of the one before, when it is gone from the runtime', () => {
    const previous = statusOf('c', exited(1), {containerID: 'lab://c-0', restartCount: 1})
    expect(both(previous, next('RUNNING', 0))).toEqual([
      {lastState: undefined, restartCount: 0},
      {lastState: exited(1), restartCount: 2},
    ])
  })

  test('the last state of the same one', () => {
    const previous = statusOf('c', running, {containerID: 'lab://c-1', lastState: exited(2), restartCount: 1})
    expect(both(previous, next('RUNNING', 1))).toEqual([
      {lastState: undefined, restartCount: 1},
      {lastState: exited(2), restartCount: 1},
    ])
  })

  test('one restart more of one that runs after one that ended, when the runtime began to count anew', () => {
    const previous = statusOf('c', exited(1), {containerID: 'lab://c-0', restartCount: 1})
    expect(both(previous, next('RUNNING', 1)).map(({restartCount}) => restartCount)).toEqual([1, 2])
    expect(both(previous, next('RUNNING', 2)).map(({restartCount}) => restartCount)).toEqual([2, 2])
    expect(both(previous, next('CREATED', 1)).map(({restartCount}) => restartCount)).toEqual([1, 1])
  })
})

describe('convertToAPIContainerStatuses() and why a container did not start', () => {
  const reasons = reasonCache()
  reasons.update('u1', [{action: 'StartContainer', container: 'c', error: {reason: 'CrashLoopBackOff', message: 'back-off 10s'}}])
  const backOff: ContainerState = {waiting: {reason: 'CrashLoopBackOff', message: 'back-off 10s'}}
  const podStatus = runtimePod(inRuntime('c', 'EXITED', {exitCode: 1}))

  test('tells it of one that is to be started, and moves its end to the last state', () => {
    const status = told({profile: profileOf('1.36.2'), podStatus, reasons})
    expect(status.state).toEqual(backOff)
    expect(status.lastState).toMatchObject({terminated: {exitCode: 1}})
  })

  test('says nothing of one that runs or is not to be started', () => {
    const profile = profileOf('1.36.2')
    expect(told({profile, podStatus: runtimePod(inRuntime('c', 'RUNNING')), reasons}).state).toEqual(running)
    const never = aPod({spec: {restartPolicy: 'Never'}})
    expect(told({profile, pod: never, podStatus, reasons}).state).toMatchObject({terminated: {exitCode: 1}})
  })

  test('a Never container of a deleted pod, ended and removed, waits again without deleted-ignores-reasons', () => {
    const pod = deleted(aPod({spec: {restartPolicy: 'Never'}}))
    const state = (on: boolean) =>
      told({profile: switched('1.17.3', 'deleted-ignores-reasons', on), pod, previous: statusOf('c', exited(1)), reasons}).state
    expect([state(false), state(true)]).toEqual([backOff, exited(1)])
  })
})

describe('convertToAPIContainerStatuses() of init containers', () => {
  const pod = aPod({spec: {initContainers: [containerNamed('b'), containerNamed('a')]}})
  const statuses = (profile: Profile, podStatus: RuntimePodStatus, reasons = reasonCache()) =>
    convertToAPIContainerStatuses({
      profile,
      runtimeName: 'lab',
      reasonCache: reasons,
      pod,
      podStatus,
      which: 'initContainers',
      previous: [],
    })

  test('are in the spec’s order', () => {
    expect(statuses(profileOf('1.36.2'), runtimePod()).map(({name}) => name)).toEqual(['b', 'a'])
  })

  test('have succeeded, whatever kept them from starting before', () => {
    const reasons = reasonCache()
    reasons.update('u1', [{action: 'StartContainer', container: 'b', error: {reason: 'CrashLoopBackOff', message: ''}}])
    const [b] = statuses(profileOf('1.36.2'), runtimePod(inRuntime('b', 'EXITED')), reasons)
    expect(b?.state).toMatchObject({terminated: {exitCode: 0}})
  })

  test('that are gone have succeeded with init-inferred when a container was created after them', () => {
    const first = (on: boolean, podStatus: RuntimePodStatus) => statuses(switched('1.36.2', 'init-inferred', on), podStatus)[0]?.state
    const created = runtimePod(inRuntime('c', 'RUNNING'))
    expect(first(false, created)).toEqual(waiting('PodInitializing'))
    expect(first(true, created)).toMatchObject({terminated: {exitCode: 0, reason: 'Completed'}})
    expect(first(true, runtimePod())).toEqual(waiting('PodInitializing'))
    expect(first(true, runtimePod(inRuntime('c', 'UNKNOWN')))).toEqual(waiting('PodInitializing'))
  })
})
