import {expect, test} from 'vitest'
import type {Json, JsonObject} from '../../../src/lab/api/json.ts'
import {podCells, podColumns} from '../../../src/lab/api/pod-row.ts'

const now = Date.parse('2026-11-30T12:00:00Z')
const running = {running: {startedAt: '2026-11-30T11:00:00Z'}}
const ended = (exitCode: number, reason?: string) => ({terminated: {exitCode, ...(reason === undefined ? {} : {reason})}})
const waiting = (reason: string) => ({waiting: {reason}})
const container = (state: Json, more: JsonObject = {}): JsonObject => ({name: 'c', restartCount: 0, ready: false, state, ...more})

interface Given {
  readonly phase?: string
  readonly reason?: string
  readonly deleted?: boolean
  readonly conditions?: readonly string[]
  readonly init?: readonly JsonObject[]
  readonly containers?: readonly JsonObject[]
}

function pod({phase = 'Running', reason, deleted = false, conditions = [], init = [], containers = []}: Given): JsonObject {
  return {
    metadata: {
      name: 'a',
      creationTimestamp: '2026-11-30T11:50:00Z',
      ...(deleted ? {deletionTimestamp: '2026-11-30T12:00:30Z'} : {}),
    },
    spec: {nodeName: 'lab', containers: containers.map(() => ({name: 'c'})), initContainers: init.map(() => ({name: 'c'}))},
    status: {
      phase,
      ...(reason === undefined ? {} : {reason}),
      conditions: conditions.map((type) => ({type, status: 'True'})),
      initContainerStatuses: init,
      containerStatuses: containers,
    },
  }
}

const up = container(running, {ready: true})

// [what, pod, READY, STATUS, RESTARTS], each worked out by printPod of 1.37.
test.each<[string, Given, string, string, string]>([
  ['nothing yet', {phase: 'Pending'}, '0/0', 'Pending', '0'],
  ['starting', {phase: 'Pending', containers: [container(waiting('ContainerCreating'))]}, '0/1', 'ContainerCreating', '0'],
  ['running', {containers: [up], conditions: ['Ready']}, '1/1', 'Running', '0'],
  [
    'crashing',
    {
      containers: [
        container(waiting('CrashLoopBackOff'), {
          restartCount: 3,
          lastState: {terminated: {exitCode: 1, finishedAt: '2026-11-30T11:59:20Z'}},
        }),
      ],
    },
    '0/1',
    'CrashLoopBackOff',
    '3 (40s ago)',
  ],
  ['failed', {phase: 'Failed', containers: [container(ended(1, 'Error'))]}, '0/1', 'Error', '0'],
  ['done', {phase: 'Succeeded', containers: [container(ended(0, 'Completed'))]}, '0/1', 'Completed', '0'],
  ['an end without a reason', {phase: 'Failed', containers: [container(ended(3))]}, '0/1', 'ExitCode:3', '0'],
  ['one done, one up, ready', {containers: [container(ended(0, 'Completed')), up], conditions: ['Ready']}, '1/2', 'Running', '0'],
  ['one done, one up, not ready', {containers: [container(ended(0, 'Completed')), up]}, '1/2', 'NotReady', '0'],
  ['one done, one failed', {containers: [container(ended(0, 'Completed')), container(ended(2, 'Error'))]}, '0/2', 'Error', '0'],
  ['evicted', {phase: 'Failed', reason: 'Evicted'}, '0/0', 'Evicted', '0'],
  ['deleted', {deleted: true, containers: [up], conditions: ['Ready']}, '1/1', 'Terminating', '0'],
  ['deleted and failed', {deleted: true, phase: 'Failed', containers: [container(ended(137, 'Error'))]}, '0/1', 'Error', '0'],
  ['deleted on a lost node', {deleted: true, reason: 'NodeLost'}, '0/0', 'Unknown', '0'],
  [
    'the second init container at work',
    {
      phase: 'Pending',
      init: [container(ended(0, 'Completed')), container(running)],
      containers: [container(waiting('PodInitializing'))],
    },
    '0/1',
    'Init:1/2',
    '0',
  ],
  ['a failed init container', {phase: 'Pending', init: [container(ended(1, 'Error'), {restartCount: 2})]}, '0/0', 'Init:Error', '2'],
  ['an init container that waits', {phase: 'Pending', init: [container(waiting('CrashLoopBackOff'))]}, '0/0', 'Init:CrashLoopBackOff', '0'],
  [
    'initialized, an init container restarted once',
    {init: [container(ended(0, 'Completed'), {restartCount: 1})], containers: [up], conditions: ['Ready', 'Initialized']},
    '1/1',
    'Running',
    '0',
  ],
])('podCells() of a pod that is %s', (_, given, ready, status, restarts) => {
  expect(podCells(pod(given), now)).toEqual(['a', ready, status, restarts, '10m', '<none>', 'lab', '<none>', '<none>'])
  expect(podColumns).toHaveLength(9)
})
