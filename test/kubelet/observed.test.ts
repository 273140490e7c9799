// What real kubelets did, row by row (one node, containerd 1.6): the model must be able to do the same, and nothing that they could not.
import {expect, test} from 'vitest'
import {loseReply} from '../../src/faults/lose-reply.ts'
import type {Rule} from '../../src/faults/rule.ts'
import type {LabNode} from '../../src/lab/lab-node.ts'
import {callsOf, exitsOnTerm, goneAt, ignoresTerm, labStart, logsOf, objectsOf, playedLab, storyOf} from '../support/played-lab.ts'

/** Each seed shifts what is done against the kubelet's loops. */
const seeds = Array.from({length: 12}, (_, index) => index + 1)
const beginning = (seed: number) => labStart + 3000 + seed * 97

const last = (lab: LabNode, pod: string) => storyOf(lab, pod).at(-1)

async function deletedWhileItStarts(version: string, seed: number, afterMs: number): Promise<string | undefined> {
  const lab = playedLab(version, seed)
  await lab.run(beginning(seed))
  const spec = {
    restartPolicy: 'Never',
    terminationGracePeriodSeconds: 2,
    containers: [{name: 'c', command: ['sh', '-c', 'exit 1']}],
  } as const
  void lab.client.createPod({metadata: {name: 'a'}, spec})
  await lab.run(beginning(seed) + afterMs)
  void lab.client.deletePod('default/a')
  await lab.run(beginning(seed) + 120_000)
  expect(objectsOf(lab, 'default/a').at(-1)?.type).toBe('DELETED')
  return last(lab, 'default/a')
}

const ends = {
  failed: 'Failed c=terminated 1 Error',
  madeUpSuccess: 'Pending c=terminated 0 made up',
  neverStarted: 'Pending c=waiting ContainerCreating',
}

// A3/A4, 'a container that exits 1, deleted while it starts'
test.each([
  ['1.17.3', [ends.madeUpSuccess]],
  ['1.18.2', [ends.neverStarted]],
  ['1.36.2', [ends.failed]],
] as const)('a pod deleted before the first status of its exit ends on %s as %s', async (version, expected) => {
  const told = await Promise.all(seeds.map((seed) => deletedWhileItStarts(version, seed, 300)))
  expect([...new Set(told)]).toEqual(expected)
})

test.each(['1.17.3', '1.18.2', '1.36.2'])('a pod deleted after its exit was told of ends on %s as failed', async (version) => {
  const told = await Promise.all(seeds.map((seed) => deletedWhileItStarts(version, seed, 3000)))
  expect([...new Set(told)]).toEqual([ends.failed])
})

const held = {
  exited: {restartPolicy: 'Never', containers: [{name: 'c', command: ['sh', '-c', 'exit 1']}]},
  deadline: {activeDeadlineSeconds: 4, terminationGracePeriodSeconds: 15, containers: [{name: 'c', command: ignoresTerm}]},
  running: {restartPolicy: 'Never', terminationGracePeriodSeconds: 10, containers: [{name: 'c', command: exitsOnTerm(1)}]},
} as const

/** What a watcher sees of a pod that a finalizer holds, from its delete 7 s after its creation on. */
async function heldByFinalizer(version: string, seed: number, spec: (typeof held)[keyof typeof held]): Promise<string> {
  const lab = playedLab(version, seed)
  const from = beginning(seed) + 7000
  await lab.run(beginning(seed))
  void lab.client.createPod({metadata: {name: 'a', finalizers: ['example.com/held']}, spec})
  await lab.run(from)
  void lab.client.deletePod('default/a')
  await lab.run(from + 1000)
  if (spec === held.exited) lab.runtime.removeContainer('default/a', 'c')
  await lab.run(from + 45_000)
  return storyOf(lab, 'default/a', from).join(' -> ')
}

// A3/A4, 'held by a finalizer'
test.each([
  ['1.17.3', 'exited', 'Failed c=terminated 1 Error -> Failed c=terminated 0 made up'],
  ['1.18.2', 'exited', 'Failed c=terminated 1 Error'],
  ['1.36.2', 'exited', 'Failed c=terminated 1 Error'],
  ['1.17.3', 'deadline', 'Failed/DeadlineExceeded c=running -> Failed/DeadlineExceeded c=terminated 0 made up'],
  ['1.18.2', 'deadline', 'Failed/DeadlineExceeded c=running'],
  ['1.36.2', 'deadline', 'Running c=running -> Failed/DeadlineExceeded c=terminated 137 Error'],
  ['1.36.2', 'running', 'Running c=running -> Failed c=terminated 1 Error'],
] as const)('a pod held by a finalizer, on %s, %s: %s', async (version, which, expected) => {
  const told = await Promise.all(seeds.map((seed) => heldByFinalizer(version, seed, held[which])))
  expect([...new Set(told)]).toEqual([expected])
})

// A relist between the container's exit and the end of the kill makes the difference: then the exit is removed before anybody reads it.
test.each([
  [
    '1.17.3',
    [
      'Running c=running -> Failed c=terminated 1 Error -> Failed c=terminated 0 made up',
      'Running c=running -> Pending c=waiting ContainerCreating -> Pending c=terminated 0 made up',
    ],
  ],
  ['1.18.2', ['Running c=running -> Failed c=terminated 1 Error', 'Running c=running -> Pending c=waiting ContainerCreating']],
] as const)('a pod held by a finalizer, on %s, running: %s', async (version, expected) => {
  const told = await Promise.all(
    Array.from({length: 40}, (_, index) => index + 1).map((seed) => heldByFinalizer(version, seed, held.running)),
  )
  expect([...new Set(told)].sort()).toEqual([...expected].sort())
})

const lost: Rule = {name: 'lost', match: {to: 'cri', method: 'StopPodSandbox', pod: 'default/never-0'}, limit: 1, fault: loseReply()}

async function badAndOk(version: string, seed: number, rules: readonly Rule[], always = false): Promise<LabNode> {
  const lab = playedLab(version, seed, rules)
  const from = beginning(seed)
  await lab.run(from)
  const containers = [
    {name: 'bad', command: ['missing']},
    {name: 'ok', command: ignoresTerm},
  ]
  const spec = always
    ? ({terminationGracePeriodSeconds: 2, containers} as const)
    : ({restartPolicy: 'Never', terminationGracePeriodSeconds: 12, containers} as const)
  void lab.client.createPod({metadata: {name: 'never-0'}, spec})
  await lab.run(from + 8000)
  void lab.client.deletePod('default/never-0')
  await lab.run(from + 8000 + 240_000)
  return lab
}

const secondsGoneAfter = (lab: LabNode, moment: number): number =>
  Math.round(((goneAt(lab, 'default/never-0') ?? Number.NaN) - moment) / 1000)
const aborted = 'Status update on pod aborted'

// A2, 'no fault'
test('a start error lets a deleted pod go on 1.17.3 after one dropped update, when the other container had been recorded first', async () => {
  const gone: number[] = []
  for (const seed of seeds) {
    const lab = await badAndOk('1.17.3', seed, [])
    expect(logsOf(lab, aborted).length).toBeGreaterThan(0)
    if (goneAt(lab, 'default/never-0') === undefined) continue
    expect(logsOf(lab, aborted)).toHaveLength(1)
    gone.push(secondsGoneAfter(lab, beginning(seed) + 8000))
  }
  expect(gone.length).toBeGreaterThan(0)
  expect(gone.filter((seconds) => seconds < 15 || seconds > 20)).toEqual([])
})

// A2, 'the first StopPodSandbox is answered by the runtime and not to the kubelet'
test.each(seeds)('a start error keeps a deleted pod for good on 1.17.3 when a StopPodSandbox is lost, seed %d', async (seed) => {
  const lab = await badAndOk('1.17.3', seed, [lost])
  expect(goneAt(lab, 'default/never-0')).toBeUndefined()
  expect(last(lab, 'default/never-0')).toBe('Running bad=terminated 128 StartError ok=running')
  const stops = callsOf(lab, 'StopPodSandbox')
  expect(stops[0]).toMatchObject({outcome: 'DEADLINE_EXCEEDED', fault: 'lost'})
  const dropped = logsOf(lab, aborted)
  expect(dropped.length).toBeGreaterThan(1)
  expect(dropped[0]?.fields).toMatchObject({error: expect.stringContaining('bad attempted illegal transition')})
})

test.each([
  ['1.18.2', [0, 1]],
  ['1.36.2', [1, 2]],
] as const)('a start error does not keep a deleted pod on %s: it is gone %j s after the lost StopPodSandbox', async (version, seconds) => {
  for (const seed of seeds) {
    const lab = await badAndOk(version, seed, [lost])
    expect(seconds).toContain(secondsGoneAfter(lab, callsOf(lab, 'StopPodSandbox')[0]?.endedAt ?? Number.NaN))
    expect(logsOf(lab, aborted)).toEqual([])
  }
})

test.each(['1.17.3', '1.26.5'])('a start error keeps no pod with restartPolicy Always on %s', async (version) => {
  for (const seed of seeds) {
    const lab = await badAndOk(version, seed, [], true)
    expect(secondsGoneAfter(lab, beginning(seed) + 8000)).toBeLessThan(7)
    expect(logsOf(lab, aborted)).toEqual([])
  }
})

// 'The API server's part': removed behind the kubelet's back and deleted right after
test.each([
  ['1.17.3', 'Pending c=waiting ContainerCreating'],
  ['1.18.2', 'Pending c=waiting ContainerCreating'],
])('a Never pod whose container was removed and that is deleted right after goes on %s as %s', async (version, expected) => {
  const lab = playedLab(version)
  const spec = {restartPolicy: 'Never', containers: [{name: 'c', command: exitsOnTerm(1)}]} as const
  void lab.client.createPod({metadata: {name: 'a'}, spec})
  await lab.run(labStart + 5000)
  lab.runtime.removeContainer('default/a', 'c')
  void lab.client.deletePod('default/a')
  await lab.run(labStart + 60_000)
  expect(storyOf(lab, 'default/a').slice(-2)).toEqual(['Running c=running', expected])
  expect(goneAt(lab, 'default/a')).toBeDefined()
})
