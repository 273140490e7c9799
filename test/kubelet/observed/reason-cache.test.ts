// A pod with a container that could not start, deleted, as real kubelets did with it: one run each. What is in the titles was seen; the seeds that show it are
// asked for, and what was said never to happen is asked of all.
import {describe, expect, test} from 'vitest'
import {loseReply} from '../../../src/faults/lose-reply.ts'
import type {Rule} from '../../../src/faults/rule.ts'
import type {PodManifest} from '../../../src/lab/api-server/pod-manifest.ts'
import {fromDeletion, goneAfter, historyOf, type Observed, observe, observeAll, runtimeOf, seeds, sh} from '../../support/observed-runs.ts'
import {callsOf, logsOf} from '../../support/played-lab.ts'

const name = 'default/never-0'
const bad = {name: 'bad', command: ['no-such-command']}
const ok = {name: 'ok', command: sh("trap '' TERM; sleep infinity")}
const missing = {name: 'missing', image: 'registry.invalid/none:1'}
const never = {restartPolicy: 'Never', terminationGracePeriodSeconds: 12, containers: [bad, ok]} as const
const lost: Rule = {name: 'lost', match: {to: 'cri', method: 'StopPodSandbox', pod: name}, limit: 1, fault: loseReply()}

const deletedAt = 8000
const runs = 'Running; bad terminated 128 StartError; ok running'
const bothEnded = 'Failed; bad terminated 128 StartError; ok terminated 137 Error'
const droppedBy = 'Status update on pod aborted'
const dropped = {error: 'terminated container bad attempted illegal transition to non-terminated state'}

const deleted = (profile: string, spec: PodManifest['spec'], rules: readonly Rule[], until: number): Promise<Observed[]> =>
  observeAll({
    profile,
    rules,
    pods: [{metadata: {name: 'never-0'}, spec}],
    steps: [[deletedAt, ({client}) => client.deletePod(name)]],
    until,
  })

const watched = (run: Observed) => fromDeletion(historyOf(run, name))
const between = (least: number, most: number) => (value: number) => value >= least && value <= most

/** Seconds from the delete to the end of the object; NaN when it stays. */
const goneIn = (run: Observed, from = deletedAt) => ((goneAfter(run, name) ?? Number.NaN) - from) / 1000

test('kubelet 1.17.3, Never, no fault: one dropped update, gone 15-20 s after the delete, `ok` recorded as terminated first', async () => {
  const all = await deleted('1.17.3', never, [], 60_000)
  const alike = all.filter((run) => between(15, 20)(goneIn(run)) && logsOf(run.node, droppedBy).length === 1)
  expect(alike.map(watched)).toContainEqual([runs, bothEnded, 'gone'])
  for (const run of alike) {
    expect(logsOf(run.node, droppedBy).map(({fields}) => fields)).toEqual([dropped])
    expect(watched(run)).toEqual([runs, bothEnded, 'gone'])
  }
})

describe('the first StopPodSandbox is answered by the runtime and not to the kubelet, Never', () => {
  const played = new Map<string, Promise<Observed[]>>()
  const lostReply = (profile: string): Promise<Observed[]> => {
    const runs = played.get(profile) ?? deleted(profile, never, [lost], 240_000)
    played.set(profile, runs)
    return runs
  }

  /** The first one and the next, in seconds after the delete. */
  const stopsOf = (run: Observed) =>
    callsOf(run.node, 'StopPodSandbox')
      .slice(0, 2)
      .map(({at, endedAt = Number.NaN, outcome}) => ({at: seconds(run, at), endedAt: seconds(run, endedAt), outcome}))
  const seconds = ({created}: Observed, at: number) => (at - created - deletedAt) / 1000
  const afterDeadline = (run: Observed) => goneIn(run) - (stopsOf(run)[0]?.endedAt ?? Number.NaN)

  test('kubelet 1.17.3: called 12.9 s after the delete, given up 120.0 s later; the next one 0.6 s after that succeeds at once', async () => {
    const all = (await lostReply('1.17.3')).map(stopsOf)
    const waits: number[] = []
    for (const [first, next] of all) {
      expect(first).toMatchObject({at: expect.closeTo(12.5, 0), outcome: 'DEADLINE_EXCEEDED'})
      expect((first?.endedAt ?? 0) - (first?.at ?? 0)).toBeCloseTo(120, 1)
      expect(next?.outcome).toBe('OK')
      expect((next?.endedAt ?? 0) - (next?.at ?? 0)).toBeLessThan(0.5)
      waits.push((next?.at ?? 0) - (first?.endedAt ?? 0))
    }
    expect(waits.filter(between(0.5, 0.7)).length).toBeGreaterThan(0)
    expect(waits.filter((each) => each > 1.1)).toEqual([])
  })

  test('kubelet 1.17.3: Terminating for good, phase Running, `bad` terminated, `ok` running; every later status update is dropped', async () => {
    for (const run of await lostReply('1.17.3')) {
      expect(watched(run)).toEqual([runs])
      expect(logsOf(run.node, droppedBy).length).toBeGreaterThan(1)
      expect(new Set(logsOf(run.node, droppedBy).map(({fields}) => fields?.error))).toEqual(new Set([dropped.error]))
    }
  })

  test('kubelet 1.17.3: the runtime has no container of it and one sandbox that is NOTREADY', async () => {
    for (const run of await lostReply('1.17.3')) {
      const count = (words: string) => runtimeOf(run).filter((event) => event.words === words).length
      expect(['bad created', 'bad removed', 'ok created', 'ok removed'].map(count)).toEqual([1, 1, 1, 1])
      expect(['sandbox started', 'sandbox exited', 'sandbox removed'].map(count)).toEqual([1, 1, 0])
    }
  })

  test('kubelet 1.18.2: gone 0.1 s after the deadline of that StopPodSandbox', async () => {
    const all = await lostReply('1.18.2')
    const waits = all.map(afterDeadline)
    expect(waits.filter(between(0.05, 0.2)).length).toBeGreaterThan(0)
    expect(waits.filter((each) => !(each < 1.1))).toEqual([])
    expect(all.flatMap((run) => logsOf(run.node, droppedBy))).toEqual([])
  })

  test('kubelet 1.32.13 (profile 1.36.2): Failed, then gone about 1-2 s after that deadline', async () => {
    const all = await lostReply('1.36.2')
    expect(all.map(afterDeadline).filter((each) => !between(1, 2.2)(each))).toEqual([])
    for (const run of all) expect(watched(run).slice(-2)).toEqual([bothEnded, 'gone'])
  })
})

describe('restartPolicy Always, no fault: no block', () => {
  // When these were deleted is not known: moments around the restart of the container that cannot start.
  const moments = Array.from({length: 16}, (_, index) => 8000 + index * 600)
  const spec = (...containers: PodManifest['spec']['containers']) =>
    ({restartPolicy: 'Always', terminationGracePeriodSeconds: 2, containers}) as const
  const deletedAtMoments = (profile: string, its: PodManifest['spec']) =>
    Promise.all(
      moments.flatMap((moment) =>
        seeds.slice(0, 8).map(async (seed) => {
          const steps = [[moment, ({client}: Observed['node']) => client.deletePod(name)]] as const
          const pods = [{metadata: {name: 'never-0'}, spec: its}]
          const run = await observe({profile, pods, steps, until: moment + 30_000}, seed)
          return {run, gone: goneIn(run, moment)}
        }),
      ),
    )

  test('kubelet 1.17.3, grace 2 s: gone 6 s after the delete, CrashLoopBackOff in the API meanwhile', async () => {
    const all = await deletedAtMoments('1.17.3', spec(bad, ok))
    expect(all.filter(({gone}) => !(gone < 15))).toEqual([])
    const alike = all.filter(({gone}) => between(5, 7)(gone)).map(({run}) => watched(run))
    expect(
      alike.filter((history) => history.slice(1).some((each) => each.includes('bad waiting CrashLoopBackOff'))).length,
    ).toBeGreaterThan(0)
  })

  test('kubelet 1.26.5, with a third container whose image is missing: gone 2.7 s after the delete', async () => {
    const all = await deletedAtMoments('1.26.5', spec(bad, ok, missing))
    expect(all.filter(({gone}) => !(gone < 15))).toEqual([])
    expect(all.filter(({gone}) => between(2.6, 2.8)(gone)).length).toBeGreaterThan(0)
  })
})
