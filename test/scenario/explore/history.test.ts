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

describe("randomHistory() with 'volumes'", () => {
  const histories = Array.from({length: 400}, (_, index) => randomHistory(seedOf(1, index), 'volumes'))

  test('is the same for the same seed', () => {
    expect(histories.slice(0, 20)).toEqual(Array.from({length: 20}, (_, index) => randomHistory(seedOf(1, index), 'volumes')))
  })

  test('has all kinds of volumes, steps and faults among a few hundred', () => {
    expect(new Set(histories.flatMap(({claims}) => claims.map(({volumeMode = 'Filesystem'}) => volumeMode)))).toEqual(
      new Set(['Filesystem', 'Block']),
    )
    const shared = histories.filter(({pods}) => {
      const names = pods.flatMap(({spec: {volumes = []}}) => volumes.map(({name}) => name))
      return new Set(names).size < names.length
    })
    expect(shared.length).toBeGreaterThan(40)
    const kinds = new Set(histories.flatMap(({steps}) => steps.flatMap((step) => Object.keys(step))))
    expect([...kinds]).toEqual(
      expect.arrayContaining(['create', 'delete', 'removeContainer', 'removeFinalizers', 'restartKubelet', 'restartDriver', 'removePath']),
    )
    const faults = new Set(histories.flatMap(({rules}) => rules.map(({fault}) => fault.kind)))
    expect([...faults].sort()).toEqual(['delay', 'exec-then-error', 'fail', 'hang', 'hold', 'lose-reply', 'reset'])
    expect(histories.some(({drivers}) => drivers.some(({takes}) => (takes?.NodePublishVolume ?? 0) > 120_000))).toBe(true)
  })

  test('has no driver that does what it calls a final error', () => {
    const lies = histories
      .flatMap(({rules}) => rules)
      .filter(({match, fault}) => fault.kind === 'exec-then-error' && /Stage|Publish/.test(match.method ?? ''))
      .map(({fault}) => JSON.stringify(fault.plan.reply))
      .filter((reply) => /INTERNAL|INVALID_ARGUMENT|FAILED_PRECONDITION/.test(reply))
    expect(lies).toEqual([])
  })
})

describe('historyInFile()', () => {
  test.each(['pods', 'volumes'] as const)('writes of histories about %s what a scenario file reads as the same history', (family) => {
    const frame = {apiVersion: 'kubelimbo/v1', kind: 'Scenario', name: 'explored', label: 'explored', title: 'explored', why: 'explored'}
    const expect_ = {default: {verdict: 'fixed', that: [{never: {log: 'nothing'}}]}}
    fc.assert(
      fc.property(seeds, (seed) => {
        const history = randomHistory(seed, family)
        const text = stringify({...frame, ...historyInFile(history), given: [], expect: expect_})
        const {drivers, claims, pods, rules, steps, until} = parseScenario(text, 'explored.yaml')
        const own = scenarioOf(history)
        const {drivers: ownDrivers, claims: ownClaims, pods: ownPods, rules: ownRules, steps: ownSteps} = own
        expect({drivers, claims}).toEqual({drivers: ownDrivers, claims: ownClaims})
        expect({pods, rules, steps, until}).toEqual({pods: ownPods, rules: ownRules, steps: ownSteps, until: history.until})
      }),
    )
  })
})
