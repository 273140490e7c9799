import {describe, expect, test} from 'vitest'
import type {ContainerState, ContainerStatus, PodPhase} from '../../../src/kubelet/pod.ts'
import {profileOf} from '../../../src/kubelet/profiles.ts'
import {terminatedStatus} from '../../../src/kubelet/status/terminated-status.ts'
import type {SwitchName} from '../../../src/kubelet/switches.ts'
import {aPod, aStatus, containerNamed, exited, running, statusOf, switched, unknownEnd, waiting} from '../../support/model-pods.ts'

const zero: ContainerState = {terminated: {exitCode: 0}}
const versions = ['1.17.3', '1.18.2', '1.21.2', '1.26.5', '1.36.2'] as const
const restarted: Partial<ContainerStatus> = {lastState: exited(1)}

describe('terminatedStatus() of a pod without init containers, by version', () => {
  test.each<readonly [what: string, state: ContainerState, expected: Readonly<Record<(typeof versions)[number], ContainerState>>]>([
    ['an exit of 1', exited(1), {'1.17.3': zero, '1.18.2': exited(1), '1.21.2': exited(1), '1.26.5': exited(1), '1.36.2': exited(1)}],
    ['one that waits', waiting(), {'1.17.3': zero, '1.18.2': waiting(), '1.21.2': waiting(), '1.26.5': unknownEnd, '1.36.2': unknownEnd}],
    ['one that runs', running, {'1.17.3': zero, '1.18.2': unknownEnd, '1.21.2': unknownEnd, '1.26.5': unknownEnd, '1.36.2': unknownEnd}],
  ])('%s', (_what, state, expected) => {
    const pod = aPod()
    const status = aStatus({containerStatuses: [statusOf('c', state)]})
    const got = versions.map((version) => terminatedStatus(profileOf(version), pod, status).containerStatuses[0]?.state)
    expect(got).toEqual(versions.map((version) => expected[version]))
  })

  test.each<readonly [PodPhase, before: PodPhase, after: PodPhase]>([
    ['Pending', 'Pending', 'Failed'],
    ['Running', 'Running', 'Failed'],
    ['Succeeded', 'Succeeded', 'Succeeded'],
    ['Failed', 'Failed', 'Failed'],
  ])('the phase %s', (phase, before, after) => {
    const phaseWith = (on: boolean) => terminatedStatus(switched('1.36.2', 'ends-failed', on), aPod(), aStatus({phase})).phase
    expect([phaseWith(false), phaseWith(true)]).toEqual([before, after])
    expect(versions.map((version) => terminatedStatus(profileOf(version), aPod(), aStatus({phase})).phase)).toEqual([
      before,
      before,
      before,
      before,
      after,
    ])
  })
})

test.each<readonly [SwitchName, state: ContainerState, without: ContainerState, with_: ContainerState]>([
  ['ends-keep-exits', exited(1), zero, exited(1)],
  ['waiting-ends-killed', waiting(), waiting(), unknownEnd],
])('terminatedStatus() with and without %s', (name, state, ...expected) => {
  const status = aStatus({containerStatuses: [statusOf('c', state)]})
  const stateWith = (on: boolean) => terminatedStatus(switched('1.18.2', name, on), aPod(), status).containerStatuses[0]?.state
  expect([stateWith(false), stateWith(true)]).toEqual(expected)
})

describe('terminatedStatus() with init containers a and b before c', () => {
  const ends = (on: boolean, api: readonly ContainerStatus[], apiInit: readonly ContainerStatus[]) => {
    const status = {containerStatuses: api, initContainerStatuses: apiInit}
    const pod = aPod({spec: {initContainers: [containerNamed('a'), containerNamed('b')]}, status})
    const ended = terminatedStatus(switched('1.26.5', 'initialised-only-ends', on), pod, aStatus(status))
    return [...ended.initContainerStatuses, ...ended.containerStatuses].map(({state}) =>
      'terminated' in state ? state.terminated.exitCode : Object.keys(state)[0],
    )
  }
  const c = (state: ContainerState, more = {}) => [statusOf('c', state, more)]
  const ab = (a: ContainerState, b: ContainerState, more = {}) => [statusOf('a', a), statusOf('b', b, more)]

  test.each<readonly [what: string, containers: ContainerStatus[], init: ContainerStatus[], expected: readonly unknown[]]>([
    ['nothing started', c(waiting()), ab(waiting(), waiting()), [137, 'waiting', 'waiting']],
    ['a runs', c(waiting()), ab(running, waiting()), [137, 'waiting', 'waiting']],
    ['a failed', c(waiting()), ab(exited(1), waiting()), [1, 'waiting', 'waiting']],
    ['b started before', c(waiting()), ab(waiting(), waiting(), restarted), [137, 137, 'waiting']],
    ['b succeeded', c(waiting()), ab(exited(0), exited(0)), [0, 0, 137]],
    ['c runs', c(running), ab(exited(0), exited(0)), [0, 0, 137]],
    ['c restarts', c(waiting(), restarted), ab(exited(0), waiting()), [0, 'waiting', 137]],
  ])('%s', (_what, containers, init, expected) => {
    expect(ends(true, containers, init)).toEqual(expected)
  })

  test('without initialised-only-ends all of them end', () => {
    expect(ends(false, c(waiting()), ab(waiting(), waiting()))).toEqual([137, 137, 137])
  })
})

test('terminatedStatus() asks the API server what has started, not the status that it ends', () => {
  const spec = {initContainers: [containerNamed('a')]}
  const own = aStatus({containerStatuses: [statusOf('c', running)], initContainerStatuses: [statusOf('a', exited(0))]})
  const stale = aPod({spec, status: {containerStatuses: [statusOf('c', waiting())], initContainerStatuses: [statusOf('a', running)]}})
  expect(terminatedStatus(profileOf('1.36.2'), stale, own).containerStatuses[0]?.state).toEqual(running)
})
