import {describe, expect, test} from 'vitest'
import type {ContainerStatus, Pod, PodPhase, PodStatus} from '../../src/kubelet/pod.ts'
import {type Eviction, exitsReadAfterKill, generateAPIPodStatus, type PodStatusSources} from '../../src/kubelet/pod-status.ts'
import {type Profile, profileOf} from '../../src/kubelet/profiles.ts'
import {reasonCache} from '../../src/kubelet/reason-cache.ts'
import type {RuntimePodStatus} from '../../src/kubelet/runtime/runtime-pod.ts'
import {
  aPod,
  aStatus,
  containerNamed,
  deleted,
  exited,
  inRuntime,
  running,
  runtimePod,
  statusOf,
  switched,
  waiting,
} from '../support/model-pods.ts'

interface Asked {
  readonly profile: Profile
  readonly pod?: Pod
  readonly podStatus?: RuntimePodStatus
  readonly terminal?: boolean
  readonly cached?: PodStatus
  readonly eviction?: Eviction
  readonly readiness?: PodStatusSources['readiness']
}

function generated(asked: Asked): PodStatus & {readonly logs: readonly string[]} {
  const logs: string[] = []
  const status = generateAPIPodStatus(asked.pod ?? aPod(), asked.podStatus ?? runtimePod(), asked.terminal ?? false, {
    profile: asked.profile,
    runtimeName: 'lab',
    statusManager: {getPodStatus: () => asked.cached},
    reasonCache: reasonCache(),
    podSyncHandlers: [() => undefined, () => asked.eviction],
    readiness: asked.readiness ?? (() => undefined),
    log: ({text}) => logs.push(text),
  })
  return {...status, logs}
}

const today = profileOf('1.36.2')
const never = (status: Partial<PodStatus> = {}) => aPod({spec: {restartPolicy: 'Never'}, status})
const deadline = {reason: 'DeadlineExceeded', message: 'Pod was active on the node longer than the specified deadline'}
const illegal = 'Pod attempted illegal phase transition'

test('generateAPIPodStatus() of a pod that runs', () => {
  const pod = aPod({status: {conditions: [{type: 'example.com/gate', status: 'True'}]}})
  expect(generated({profile: today, pod, podStatus: runtimePod(inRuntime('c', 'RUNNING'))})).toEqual({
    phase: 'Running',
    containerStatuses: [statusOf('c', running, {ready: true, containerID: 'lab://c-0'})],
    initContainerStatuses: [],
    conditions: [
      {type: 'example.com/gate', status: 'True'},
      {type: 'Initialized', status: 'True'},
      {type: 'Ready', status: 'True'},
      {type: 'ContainersReady', status: 'True'},
      {type: 'PodScheduled', status: 'True'},
    ],
    logs: [],
  })
})

test.each<readonly [said: boolean | undefined, ready: boolean]>([
  [undefined, false],
  [false, false],
  [true, true],
])('generateAPIPodStatus() of a container whose readiness probe says %s', (said, ready) => {
  const pod = aPod({spec: {containers: [containerNamed('c', {readinessProbe: {}})]}})
  const status = generated({profile: today, pod, podStatus: runtimePod(inRuntime('c', 'RUNNING')), readiness: () => said})
  expect(status.containerStatuses[0]?.ready).toBe(ready)
  expect(status.conditions.find(({type}) => type === 'Ready')?.status).toBe(ready ? 'True' : 'False')
})

test('generateAPIPodStatus() has a pod initialised when its init containers have succeeded', () => {
  const pod = aPod({spec: {initContainers: [containerNamed('i')]}})
  const initialized = (podStatus: RuntimePodStatus) => {
    const status = generated({profile: today, pod, podStatus})
    return [status.phase, status.initContainerStatuses[0]?.ready, status.conditions.find(({type}) => type === 'Initialized')]
  }
  const no = {type: 'Initialized', status: 'False', reason: 'ContainersNotInitialized'}
  expect(initialized(runtimePod(inRuntime('i', 'RUNNING')))).toEqual(['Pending', false, no])
  expect(initialized(runtimePod(inRuntime('i', 'EXITED')))).toEqual(['Pending', true, {type: 'Initialized', status: 'True'}])
})

describe('generateAPIPodStatus() takes the cached status for the old one, and the API’s where there is none', () => {
  test.each<readonly [what: string, cached: PodStatus | undefined, api: readonly ContainerStatus[], exitCode: number]>([
    ['both', aStatus({containerStatuses: [statusOf('c', exited(1))]}), [statusOf('c', exited(2))], 1],
    ['the API’s', undefined, [statusOf('c', exited(2))], 2],
  ])('%s', (_what, cached, containerStatuses, exitCode) => {
    const {containerStatuses: told} = generated({profile: today, pod: never({containerStatuses}), ...(cached && {cached})})
    expect(told[0]?.state).toMatchObject({terminated: {exitCode}})
  })
})

describe('generateAPIPodStatus() of a pod whose containers are gone from the runtime', () => {
  test.each<readonly [what: string, api: PodPhase, cached: PodPhase, without: PodPhase, with_: PodPhase]>([
    ['Failed in the cache', 'Running', 'Failed', 'Pending', 'Failed'],
    ['Succeeded in the cache', 'Running', 'Succeeded', 'Pending', 'Succeeded'],
    ['Failed in the API', 'Failed', 'Running', 'Failed', 'Failed'],
    ['never Failed', 'Running', 'Running', 'Pending', 'Pending'],
  ])('with and without phase-kept: %s', (_what, api, cached, ...expected) => {
    const phase = (on: boolean) =>
      generated({profile: switched('1.26.5', 'phase-kept', on), pod: never({phase: api}), cached: aStatus({phase: cached})}).phase
    expect([phase(false), phase(true)]).toEqual(expected)
  })

  test('the guard of the phase sees no more than the pod that the worker has', () => {
    const cached = aStatus({phase: 'Failed', containerStatuses: [statusOf('c', exited(0))]})
    const withPhase = (phase: PodPhase) => generated({profile: profileOf('1.17.3'), pod: never({phase}), cached})
    expect(withPhase('Running')).toMatchObject({phase: 'Succeeded', logs: []})
    expect(withPhase('Failed')).toMatchObject({phase: 'Failed', logs: [illegal]})
  })

  test('today, too, Failed in the cache may become Succeeded', () => {
    const cached = aStatus({phase: 'Failed', containerStatuses: [statusOf('c', exited(0))]})
    expect(generated({profile: today, pod: never({phase: 'Running'}), cached}).phase).toBe('Succeeded')
  })

  test('1.17.3 and 1.18.2 go from Running to Pending when the pod is deleted', () => {
    const cached = aStatus({phase: 'Running', containerStatuses: [statusOf('c', running)]})
    for (const version of ['1.17.3', '1.18.2']) {
      const {phase, containerStatuses} = generated({profile: profileOf(version), pod: deleted(never({phase: 'Running'})), cached})
      expect([phase, containerStatuses[0]?.state]).toEqual(['Pending', waiting()])
    }
    expect(generated({profile: profileOf('1.21.2'), pod: deleted(never({phase: 'Running'})), cached}).phase).toBe('Failed')
  })
})

describe('generateAPIPodStatus() of a pod that is to go', () => {
  const podStatus = runtimePod(inRuntime('c', 'RUNNING'))

  test.each(['1.17.3', '1.21.2', '1.26.5', '1.36.2'])('has Failed and why, in %s', (version) => {
    const status = generated({profile: profileOf(version), podStatus, eviction: deadline})
    expect(status).toMatchObject({phase: 'Failed', ...deadline, containerStatuses: [{state: running}]})
  })

  test('has no conditions without phase-kept', () => {
    const conditions = (on: boolean) =>
      generated({profile: switched('1.26.5', 'phase-kept', on), podStatus, eviction: deadline}).conditions.length
    expect([conditions(false), conditions(true)]).toEqual([0, 4])
  })

  test('does not go from Succeeded to Failed with phase-kept', () => {
    const told = (on: boolean) =>
      generated({profile: switched('1.26.5', 'phase-kept', on), pod: aPod({status: {phase: 'Succeeded'}}), eviction: deadline})
    expect([told(false).phase, told(true).phase, told(true).logs]).toEqual(['Failed', 'Succeeded', [illegal]])
  })

  test('keeps the reason of its phase with phase-kept', () => {
    const cached = aStatus({phase: 'Failed', reason: 'Evicted', message: 'memory'})
    const told = (on: boolean) => generated({profile: switched('1.26.5', 'phase-kept', on), pod: never({phase: 'Failed'}), cached})
    expect([told(false).reason, told(true).reason, told(true).message]).toEqual([undefined, 'Evicted', 'memory'])
  })

  test.each<readonly [on: boolean, ready: string, reason: string | undefined]>([
    [false, 'True', undefined],
    [true, 'False', 'PodFailed'],
  ])('with failed-is-unready: %s', (on, status, reason) => {
    const {conditions} = generated({profile: switched('1.26.5', 'failed-is-unready', on), podStatus, eviction: deadline})
    expect(conditions.find(({type}) => type === 'ContainersReady')).toEqual({type: 'ContainersReady', status, ...(reason && {reason})})
  })
})

test('generateAPIPodStatus() gives a pod whose containers were stopped for good a terminal phase', () => {
  const podStatus = runtimePod(inRuntime('c', 'EXITED', {exitCode: 137}))
  const phase = (terminal: boolean) => generated({profile: today, podStatus, terminal}).phase
  expect([phase(false), phase(true)]).toEqual(['Running', 'Failed'])
})

test('exitsReadAfterKill() says whether the worker reads once more', () => {
  expect([false, true].map((on) => exitsReadAfterKill(switched('1.26.5', 'exits-read-after-kill', on)))).toEqual([false, true])
})
