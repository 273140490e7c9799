import {expect, test} from 'vitest'
import type {Clock} from '../../../src/base/clock.ts'
import {simulatedClock} from '../../../src/base/simulated-clock.ts'
import {fail} from '../../../src/faults/fail.ts'
import type {Rule} from '../../../src/faults/rule.ts'
import {ruleBook} from '../../../src/proxy/call/rule-book.ts'

const called = {to: 'csi', service: 'csi.v1.Node', method: 'NodeStageVolume'} as const
const call = {...called, request: {}}
const rule = (more: Partial<Rule> = {}): Rule => ({name: 'r', match: {method: 'NodeStageVolume'}, fault: fail('INTERNAL'), ...more})

const bookOf = (...rules: readonly Rule[]) => ruleBook({rules, seed: 1, clock: simulatedClock(0)})

test('ruleBook() counts what rules see and take', () => {
  const book = bookOf(rule({limit: 1}), rule({name: 's'}))
  expect([1, 2, 3].map(() => book.decide(call).rule?.name)).toEqual(['r', 's', 's'])
  expect(book.list()).toMatchObject([
    {seen: 3, taken: 1},
    {seen: 2, taken: 2},
  ])
})

test('ruleBook() changes while it is in use', () => {
  const book = bookOf()
  expect(book.mayMatch(called)).toBe('no')
  book.add(rule())
  expect([book.mayMatch(called), book.usesNames]).toEqual(['by-head', false])
  book.add(rule({name: 'p', match: {pvc: 'a/b'}}))
  expect([book.mayMatch(called), book.usesNames]).toEqual(['by-message', true])
  expect([book.remove('p'), book.remove('p'), book.mayMatch(called)]).toEqual([true, false, 'by-head'])
  book.pause(true)
  expect([book.paused, book.mayMatch(called), book.decide(call).rule]).toEqual([true, 'no', undefined])
  book.pause(false)
  book.clear()
  expect([book.list(), book.mayMatch(called), book.decide(call).rule]).toEqual([[], 'no', undefined])
})

test('ruleBook() has one rule of a name', () => {
  expect(() => bookOf(rule(), rule())).toThrow("Cannot add the rule as its name must be its own: there is another 'r'")
})

test('ruleBook() counts the time of a rule from when it was added', async () => {
  const clock = simulatedClock(5000)
  const book = ruleBook({rules: [], seed: 1, clock})
  book.add(rule({from: 1000, until: 2000}))
  const taken = async (at: number) => {
    await clock.run(at)
    return book.decide(call).rule?.name
  }
  expect([await taken(5000), await taken(6000), await taken(6999), await taken(7000)]).toEqual([undefined, 'r', 'r', undefined])
})

test('ruleBook() throws the same dice for the same seed', () => {
  const taken = () => {
    const book = bookOf(rule({probability: 0.5}))
    return Array.from({length: 50}, () => book.decide(call).rule !== undefined)
  }
  expect(taken()).toEqual(taken())
  expect(new Set(taken()).size).toBe(2)
})

test.each([-3600_000, 3600_000])('ruleBook() does not mind that the system’s time is set by %d ms', async (step) => {
  let [wall, passed] = [1_000_000, 0]
  const clock: Clock = {now: () => wall + passed, steady: () => passed, sleep: async () => undefined}
  const book = ruleBook({rules: [rule({match: {method: 'Probe'}}), rule({name: 'timed', from: 1000, until: 2000})], seed: 1, clock})
  const taken = (method: string) => book.decide({...call, method}).rule?.name
  passed = 500
  wall += step
  expect([taken('Probe'), taken('NodeStageVolume')]).toEqual(['r', undefined])
  passed = 1500
  expect(taken('NodeStageVolume')).toBe('timed')
  passed = 2500
  expect([taken('Probe'), taken('NodeStageVolume')]).toEqual(['r', undefined])
})

test('ruleBook() has a rule without a time in force also where its clock is set back', () => {
  let now = 5000
  const book = ruleBook({rules: [rule()], seed: 1, clock: {now: () => now, sleep: async () => undefined}})
  now = 0
  expect(book.decide(call).rule?.name).toBe('r')
})
