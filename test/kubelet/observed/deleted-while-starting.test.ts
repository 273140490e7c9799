// A container that exits 1, restartPolicy Never, deleted while it starts: 8 pods, 0.1 to 0.8 s after their creation, grace 2 s, as real kubelets did with them.
// Which of them are deleted before the kubelet has told of the exit is a race that the dice of each seed decide.
import {expect, test} from 'vitest'
import type {LabNode} from '../../../src/lab/lab-node.ts'
import {fromDeletion, historyOf, observe, seeds, sh} from '../../support/observed-runs.ts'

const madeUp = 'Pending; main terminated 0, made up'
const waits = 'Pending; main waiting ContainerCreating'
const failed = 'Failed; main terminated 1 Error'

const names = Array.from({length: 8}, (_, index) => `p${index + 1}`)
const spec = {restartPolicy: 'Never', containers: [{name: 'main', command: sh('exit 1')}]} as const
const apart = 6000
const steps = names.flatMap((name, index) => {
  const create = ({client}: LabNode) => client.createPod({metadata: {name}, spec})
  const remove = ({client}: LabNode) => client.deletePod(`default/${name}`, 2)
  return [[index * apart, create] as const, [index * apart + (index + 1) * 100, remove] as const]
})

interface Seen {
  /** Deleted before the first status of the exit. */
  readonly early: boolean
  readonly last: string | undefined
  readonly history: readonly string[]
}

/** The eight pods of each seed. */
const played = (profile: string, its = seeds): Promise<Seen[][]> =>
  Promise.all(
    its.map(async (seed) => {
      const run = await observe({profile, pods: [], steps, until: 80_000}, seed)
      return names.map((name) => {
        const history = fromDeletion(historyOf(run, `default/${name}`))
        expect(history.at(-1)).toBe('gone')
        return {early: !history[0]?.includes('terminated'), last: history.at(-2), history}
      })
    }),
  )

const count = (pods: readonly Seen[], last: string) => pods.filter((pod) => pod.last === last).length

test('kubelet 1.17.3, deleted before the first status of the exit (4 of 4): Pending and a made-up success', async () => {
  const runs = await played('1.17.3')
  const early = runs.flat().filter((pod) => pod.early)
  expect(early.map(({history}) => history)).toContainEqual([waits, madeUp, 'gone'])
  expect(count(early, madeUp) / early.length).toBeGreaterThan(0.75)
  // When its worker was about to tell of the exit, the phase is Failed: it is a success all the same.
  expect(early.filter(({last}) => !last?.endsWith('terminated 0, made up'))).toEqual([])
})

test('kubelet 1.17.3, deleted later (4 of 8): Failed, exit 1, reason Error', async () => {
  // Both at once, four and four, is one run in fifty: 41, 62, 83, 100 are the first.
  const runs = await played('1.17.3', [...seeds, 41])
  expect(runs.map((pods) => [count(pods, madeUp), count(pods, failed)])).toContainEqual([4, 4])
  const late = runs.flat().filter((pod) => !pod.early)
  expect(new Set(late.map(({last}) => last))).toEqual(new Set([failed]))
})

test('kubelet 1.18.2: Pending and waiting to the end (3 of 8), or Failed, exit 1 (5 of 8); never 0', async () => {
  const runs = await played('1.18.2')
  expect(runs.map((pods) => [count(pods, waits), count(pods, failed)])).toContainEqual([3, 5])
  expect(new Set(runs.flat().map(({last}) => last))).toEqual(new Set([waits, failed]))
  expect(runs.flat().flatMap(({history}) => history.filter((each) => each.includes('terminated 0')))).toEqual([])
})

test('kubelet 1.32.13 (profile 1.36.2): Failed, exit 1, reason Error, whenever it was deleted (8 of 8)', async () => {
  const runs = await played('1.36.2')
  expect(runs.flat().filter(({last}) => last !== failed)).toEqual([])
  expect(new Set(runs.flat().map(({early}) => early))).toEqual(new Set([true, false]))
})
