import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {stringify} from 'yaml'
import {randomHistory, seedOf} from '../../../src/scenario/explore/generate/history.ts'
import {scenarioOf} from '../../../src/scenario/explore/history.ts'
import {historyInFile} from '../../../src/scenario/explore/save/history-in-file.ts'
import {parseScenario} from '../../../src/scenario/read-scenario.ts'

const seeds = fc.integer({min: 0, max: 2 ** 31 - 1})

describe('randomHistory()', () => {
  test('is the same for the same seed', () => {
    const text = (seed: number) => JSON.stringify(randomHistory(seed))
    fc.assert(
      fc.property(seeds, (seed) => {
        expect(text(seed)).toBe(text(seed))
      }),
    )
  })

  test('makes another history of another seed', () => {
    const texts = Array.from({length: 200}, (_, index) => JSON.stringify({...randomHistory(seedOf(1, index)), seed: 0}))
    expect(new Set(texts).size).toBeGreaterThan(195)
  })

  test('has all kinds of steps and faults among a few hundred', () => {
    const histories = Array.from({length: 400}, (_, index) => randomHistory(seedOf(1, index)))
    const kinds = new Set(histories.flatMap(({steps}) => steps.flatMap((step) => Object.keys(step))))
    expect([...kinds]).toEqual(
      expect.arrayContaining([
        'create',
        'delete',
        'evict',
        'killContainer',
        'removeContainer',
        'removeFinalizers',
        'readiness',
        'restartKubelet',
      ]),
    )
    const faults = new Set(histories.flatMap(({rules}) => rules.map(({fault}) => fault.kind)))
    expect([...faults].sort()).toEqual(['delay', 'exec-then-error', 'fail', 'hold', 'lose-reply'])
  })

  test('begins with the seed that was asked for', () => {
    fc.assert(fc.property(seeds, (seed) => seedOf(seed, 0) === seed))
    expect(seedOf(1, 1)).not.toBe(seedOf(2, 1))
  })
})

describe('historyInFile()', () => {
  test('writes what a scenario file reads as the same history', () => {
    const frame = {apiVersion: 'kubelimbo/v1', kind: 'Scenario', name: 'explored', label: 'explored', title: 'explored', why: 'explored'}
    const expect_ = {default: {verdict: 'fixed', that: [{never: {log: 'nothing'}}]}}
    fc.assert(
      fc.property(seeds, (seed) => {
        const history = randomHistory(seed)
        const text = stringify({...frame, ...historyInFile(history), given: [], expect: expect_})
        const {pods, rules, steps, until} = parseScenario(text, 'explored.yaml')
        const {pods: ownPods, rules: ownRules, steps: ownSteps} = scenarioOf(history)
        expect({pods, rules, steps, until}).toEqual({pods: ownPods, rules: ownRules, steps: ownSteps, until: history.until})
      }),
    )
  })
})
