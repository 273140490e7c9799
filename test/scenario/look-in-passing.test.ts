import {expect, test} from 'vitest'
import {simulatedClock} from '../../src/base/simulated-clock.ts'
import type {LabNode} from '../../src/lab/lab-node.ts'
import type {Snapshot} from '../../src/node/snapshot.ts'
import {lookInPassing} from '../../src/scenario/look-in-passing.ts'
import type {Moment} from '../../src/scenario/schema/expectation.ts'
import {type Timeline, timeline} from '../../src/timeline/timeline.ts'
import {atRuntime, jobPod, madeUpSuccess, recordOf, running} from '../support/ended-pods.ts'
import {type SmallNode, smallNode} from '../support/small-node.ts'

const start = 1_000_000
const end = start + 60_000

const healthy = smallNode(() => undefined)
const madeUp = smallNode((node: SmallNode) => node.pods.push(jobPod([madeUpSuccess])))
/** Within its grace, perhaps: young for as long as nothing tells. */
const passing = smallNode((node: SmallNode) => {
  node.pods.push(jobPod([running()], {phase: 'Failed'}))
  atRuntime(recordOf('RUNNING', -3600))(node)
})

interface Played {
  readonly at?: Moment
  /** What is there from a moment on, in milliseconds from the start. */
  readonly states: readonly (readonly [from: number, snapshot: Snapshot])[]
  readonly meanwhile?: (events: Timeline, sleep: (ms: number) => Promise<void>) => Promise<void>
  readonly until?: number
}

async function played({at, states, meanwhile, until = end}: Played) {
  const clock = simulatedClock(start)
  const events = timeline(clock.now)
  const looks: number[] = []
  const snapshot = () => {
    looks.push(clock.now() - start)
    return states.findLast(([from]) => clock.now() - start >= from)?.[1] ?? healthy
  }
  const own = {timeline: events, now: clock.now, run: clock.run, snapshot} as LabNode
  const {node, look} = lookInPassing(own, {start, end, ...(at === undefined ? {} : {at})})
  void meanwhile?.(events, clock.sleep)
  await node.run(start + 20_000)
  await node.run(until)
  return {looks, at: (look()?.at ?? Number.NaN) - start, codes: look()?.findings.map(({code}) => code), now: node.now()}
}

test.each<[string, Played, object]>([
  ['in time for a second look before the end', {states: [[0, madeUp]]}, {at: 55_000, looks: [55_000], codes: ['P03']}],
  [
    'at its moment',
    {
      at: 12_345,
      states: [
        [12_345, madeUp],
        [12_346, healthy],
      ],
    },
    {at: 12_345, looks: [12_345], codes: ['P03']},
  ],
  ['once', {at: 20_000, states: []}, {at: 20_000, looks: [20_000], codes: []}],
  ['again at what may be on its way, and it is still there', {at: 7000, states: [[0, passing]]}, {looks: [7000, 12_000], codes: ['P04']}],
  [
    'again at what may be on its way, and it is gone',
    {
      at: 7000,
      states: [
        [0, passing],
        [11_000, healthy],
      ],
    },
    {at: 7000, looks: [7000, 12_000], codes: []},
  ],
  [
    'at what is there at the second look only as little as check does',
    {
      at: 7000,
      states: [
        [0, passing],
        [11_000, madeUp],
      ],
    },
    {looks: [7000, 12_000], codes: []},
  ],
])('lookInPassing() looks %s', async (_, play, shown) => {
  expect(await played(play)).toMatchObject({...shown, now: end})
})

test('lookInPassing() looks right after an event', async () => {
  const meanwhile: Played['meanwhile'] = async (events, sleep) => {
    await sleep(30_007)
    events.step({text: 'now'})
  }
  const {looks} = await played({at: {step: 'now'}, states: [], meanwhile})
  expect(looks).toHaveLength(1)
  expect(looks[0]).toBeGreaterThanOrEqual(30_007)
  expect(looks[0]).toBeLessThanOrEqual(30_027)
})

test('lookInPassing() looks in the end when its event does not come', async () => {
  expect(await played({at: {step: 'never'}, states: []})).toMatchObject({at: 55_000, looks: [55_000]})
})

test('lookInPassing() has not looked before its moment', async () => {
  expect(await played({at: 50_000, states: [], until: start + 49_000})).toMatchObject({looks: [], codes: undefined})
})
