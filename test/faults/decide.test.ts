import fc from 'fast-check'
import {expect, test} from 'vitest'
import {counted, decide} from '../../src/faults/decide.ts'
import {fail} from '../../src/faults/fail.ts'
import {hang} from '../../src/faults/hang.ts'
import {passed} from '../../src/faults/plan.ts'
import type {Match, MatchedCall, Rule} from '../../src/faults/rule.ts'

const stop: MatchedCall = {to: 'cri', method: 'StopPodSandbox', pod: 'default/a', request: {timeout: 10, id: 'x'}}

/** The names of the rules that took so many calls, one by one; '-' for one that passed. */
function takers(rules: readonly Rule[], calls: readonly MatchedCall[]): string[] {
  let now = counted(rules)
  return calls.map((call) => {
    const decision = decide(now, call)
    now = decision.rules
    return decision.rule?.name ?? '-'
  })
}

const rule = (name: string, more: Partial<Rule> = {}): Rule => ({
  name,
  match: {to: 'cri', method: 'StopPodSandbox'},
  fault: fail('UNKNOWN'),
  ...more,
})

test.each<[string, Match, boolean]>([
  ['service and method alone', {to: 'cri', method: 'StopPodSandbox'}, true],
  ['another service', {to: 'csi', method: 'StopPodSandbox'}, false],
  ['another method', {to: 'cri', method: 'RunPodSandbox'}, false],
  ['its pod', {to: 'cri', method: 'StopPodSandbox', pod: 'default/a'}, true],
  ['another pod', {to: 'cri', method: 'StopPodSandbox', pod: 'default/b'}, false],
  ['a container where the call is about none', {to: 'cri', method: 'StopPodSandbox', container: 'c'}, false],
  ['a field of the request', {to: 'cri', method: 'StopPodSandbox', request: {timeout: 10}}, true],
  ['a field with another value', {to: 'cri', method: 'StopPodSandbox', request: {timeout: 11}}, false],
  ['two fields, one with another value', {to: 'cri', method: 'StopPodSandbox', request: {id: 'x', timeout: 11}}, false],
])('decide() matches %s', (_, match, matched) => {
  expect(decide(counted([rule('r', {match})]), stop).plan).toEqual(matched ? fail('UNKNOWN').plan : passed)
})

test.each<[string, Partial<Rule>, string]>([
  ['all without a limit', {}, 'rrrrr'],
  ['as many as its limit', {limit: 2}, 'rr---'],
  ['all after skip', {skip: 2}, '--rrr'],
  ['limit after skip', {skip: 1, limit: 2}, '-rr--'],
  ['none with limit 0', {limit: 0}, '-----'],
])('decide() takes %s', (_, more, expected) => {
  expect(takers([rule('r', more)], Array(5).fill(stop)).join('')).toBe(expected)
})

test.each<[string, Rule[], string]>([
  ['the first that matches', [rule('a'), rule('b', {fault: hang()})], 'aaaa'],
  ['the next when the first has run out', [rule('a', {limit: 1}), rule('b', {limit: 2})], 'abb-'],
  ['the next while the first skips', [rule('a', {skip: 2}), rule('b')], 'bbaa'],
  ['a later rule that counts only what reached it', [rule('a', {limit: 2}), rule('b', {skip: 1})], 'aa-b'],
])('decide() gives a call to %s', (_, rules, expected) => {
  expect(takers(rules, Array(4).fill(stop)).join('')).toBe(expected)
})

test('decide() changes nothing that it was given, and hands back the same rules when none matched', () => {
  const rules = Object.freeze(counted([Object.freeze(rule('r', {limit: 1}))]).map((each) => Object.freeze(each)))
  expect(decide(rules, stop).rules).toEqual([{rule: rule('r', {limit: 1}), armedAt: 0, seen: 1, taken: 1}])
  expect(decide(rules, {...stop, method: 'RunPodSandbox'})).toEqual({plan: passed, rules})
  expect(decide(rules, {...stop, method: 'RunPodSandbox'}).rules).toBe(rules)
})

const anyMethod = fc.constantFrom('StopPodSandbox', 'RunPodSandbox', 'StopContainer')
const anyRule = fc.record(
  {limit: fc.nat({max: 4}), skip: fc.nat({max: 4}), match: fc.record({to: fc.constant('cri' as const), method: anyMethod})},
  {requiredKeys: ['match']},
)

test('decide() never exceeds a limit, respects skip, and passes what no rule matches', () => {
  fc.assert(
    fc.property(fc.array(anyRule, {maxLength: 4}), fc.array(anyMethod, {maxLength: 40}), (drawn, methods) => {
      const rules = drawn.map((each, index): Rule => ({name: String(index), fault: fail('UNKNOWN'), ...each}))
      const took = takers(
        rules,
        methods.map((method) => ({to: 'cri', method, request: {}})),
      )
      for (const [index, {match, limit, skip = 0}] of rules.entries()) {
        const mine = took.flatMap((name, call) => (name === String(index) ? [call] : []))
        expect(mine.length).toBeLessThanOrEqual(limit ?? methods.length)
        expect(mine.every((call) => methods[call] === match.method)).toBe(true)
        const before = methods.slice(0, mine[0] ?? 0).filter((method) => method === match.method)
        if (mine.length > 0) expect(before.length).toBeGreaterThanOrEqual(skip)
      }
      const untouched = methods.filter((_, call) => took[call] === '-')
      const unlimited = rules.filter(({limit, skip}) => limit === undefined && skip === undefined).map(({match}) => match.method)
      expect(untouched.filter((method) => unlimited.includes(method))).toEqual([])
      const known = rules.map(({match}) => match.method)
      expect(took.filter((name, call) => !known.includes(methods[call] ?? '') && name !== '-')).toEqual([])
    }),
  )
})
