import {expect, test} from 'vitest'
import type {ContainerStatus, PodPhase, RestartPolicy} from '../../../src/kubelet/pod.ts'
import {getPhase} from '../../../src/kubelet/status/get-phase.ts'
import {aPod, containerNamed, exited, running, statusOf, waiting} from '../../support/model-pods.ts'

const policies: readonly RestartPolicy[] = ['Always', 'OnFailure', 'Never']
const c = (state: Parameters<typeof statusOf>[1], more?: Parameters<typeof statusOf>[2]) => statusOf('c', state, more)
const d = (state: Parameters<typeof statusOf>[1], more?: Parameters<typeof statusOf>[2]) => statusOf('d', state, more)
const i = (state: Parameters<typeof statusOf>[1], more?: Parameters<typeof statusOf>[2]) => statusOf('i', state, more)
const restarting = {lastState: exited(0)}
const failedBefore = {lastState: exited(1)}

type Row = readonly [what: string, statuses: readonly ContainerStatus[], always: PodPhase, onFailure: PodPhase, never: PodPhase]

function phases(names: {containers: string[]; init?: string[]}, statuses: readonly ContainerStatus[], podIsTerminal: boolean): PodPhase[] {
  return policies.map((restartPolicy) => {
    const initContainers = names.init?.map((name) => containerNamed(name)) ?? []
    const {spec} = aPod({spec: {restartPolicy, initContainers, containers: names.containers.map((name) => containerNamed(name))}})
    return getPhase(spec, statuses, podIsTerminal)
  })
}

test.each<Row>([
  ['no status at all', [], 'Pending', 'Pending', 'Pending'],
  ['one waits', [c(waiting()), d(running)], 'Pending', 'Pending', 'Pending'],
  ['all run', [c(running), d(running)], 'Running', 'Running', 'Running'],
  ['one runs, one ended', [c(running), d(exited(1))], 'Running', 'Running', 'Running'],
  ['one runs, one restarts', [c(running), d(waiting(), failedBefore)], 'Running', 'Running', 'Running'],
  ['one runs, one is unknown', [c(running)], 'Pending', 'Pending', 'Pending'],
  ['all ended with 0', [c(exited(0)), d(exited(0))], 'Running', 'Succeeded', 'Succeeded'],
  ['one ended with 1', [c(exited(0)), d(exited(1))], 'Running', 'Running', 'Failed'],
  ['one waits that ended with 0 before', [c(exited(0)), d(waiting(), restarting)], 'Running', 'Running', 'Failed'],
  ['one ended, one is unknown', [c(exited(0))], 'Pending', 'Pending', 'Pending'],
])('getPhase() with two containers: %s', (_what, statuses, ...expected) => {
  expect(phases({containers: ['c', 'd']}, statuses, false)).toEqual(expected)
})

test.each<Row>([
  ['init is missing', [c(waiting())], 'Pending', 'Pending', 'Pending'],
  ['init runs', [i(running), c(waiting())], 'Pending', 'Pending', 'Pending'],
  ['init waits', [i(waiting()), c(running)], 'Pending', 'Pending', 'Pending'],
  ['init waits and failed before', [i(waiting(), failedBefore), c(waiting())], 'Pending', 'Pending', 'Failed'],
  ['init waits and succeeded before', [i(waiting(), restarting), c(running)], 'Running', 'Running', 'Running'],
  ['init failed', [i(exited(1)), c(waiting())], 'Pending', 'Pending', 'Failed'],
  ['init failed, the container runs', [i(exited(1)), c(running)], 'Running', 'Running', 'Failed'],
  ['init is done', [i(exited(0)), c(exited(0))], 'Running', 'Succeeded', 'Succeeded'],
])('getPhase() with an init container: %s', (_what, statuses, ...expected) => {
  expect(phases({init: ['i'], containers: ['c']}, statuses, false)).toEqual(expected)
})

test.each<Row>([
  ['all ended with 0', [c(exited(0)), d(exited(0))], 'Succeeded', 'Succeeded', 'Succeeded'],
  ['one ended with 1', [c(exited(0)), d(exited(1))], 'Failed', 'Failed', 'Failed'],
  ['one waits that ended before', [c(exited(0)), d(waiting(), restarting)], 'Failed', 'Failed', 'Failed'],
  ['one never ran', [c(exited(0)), d(waiting())], 'Pending', 'Pending', 'Pending'],
  ['one still runs', [c(exited(0)), d(running)], 'Running', 'Running', 'Running'],
])('getPhase() of a pod that is terminal: %s', (_what, statuses, ...expected) => {
  expect(phases({containers: ['c', 'd']}, statuses, true)).toEqual(expected)
})
