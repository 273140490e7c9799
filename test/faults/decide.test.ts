import fc from 'fast-check'
import {expect, test} from 'vitest'
import {counted, type Decision, decide} from '../../src/faults/decide.ts'
import {delay} from '../../src/faults/delay.ts'
import {type Draw, drawsOf} from '../../src/faults/draws.ts'
import {fail} from '../../src/faults/fail.ts'
import type {Fault} from '../../src/faults/fault.ts'
import {hang} from '../../src/faults/hang.ts'
import {passed} from '../../src/faults/plan.ts'
import {refuse} from '../../src/faults/refuse.ts'
import type {Match, MatchedCall, Rule} from '../../src/faults/rule.ts'

const stop: MatchedCall = {
  to: 'cri',
  service: 'runtime.v1.RuntimeService',
  method: 'StopPodSandbox',
  pod: 'default/a',
  podUid: 'u-1',
  pvc: 'default/data',
  request: {timeout: 10, id: 'x', config: {metadata: {name: 'a'}, labels: {'a.b/c': 'xyz'}, size: 7n, ready: false}},
}

/** The names of the rules that took so many calls, one by one; '-' for one that passed. */
function takers(rules: readonly Rule[], calls: readonly MatchedCall[], draw: Draw = () => 0): string[] {
  let now = counted(rules)
  return calls.map((call) => {
    const decision = decide(now, call, {at: 0, draw})
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
  ['anything', {}, true],
  ['methods like it', {method: 'Stop*'}, true],
  ['methods that end otherwise', {method: '*Container'}, false],
  ['its service', {service: 'runtime.v1.RuntimeService'}, true],
  ['its service in any version', {service: 'runtime.RuntimeService'}, true],
  ['its service in another version', {service: 'runtime.v1alpha2.RuntimeService'}, false],
  ['services like it', {service: 'runtime.*'}, true],
  ['pods like it', {pod: 'default/*'}, true],
  ["its pod's uid", {podUid: 'u-1'}, true],
  ["another pod's uid", {podUid: 'u-2'}, false],
  ['its claim', {pvc: '*/data'}, true],
  ['another claim', {pvc: 'default/logs'}, false],
  ['a nested field', {request: {'config.metadata.name': 'a'}}, true],
  ['a nested field like it', {request: {'config.labels[a.b/c]': 'x*'}}, true],
  ['a nested field that is not there', {request: {'config.metadata.uid': '*'}}, false],
  ['a number of 64 bits', {request: {'config.size': 7}}, true],
  ['a truth as a text', {request: {'config.ready': 'false'}}, true],
])('decide() matches %s', (_, match, matched) => {
  expect(decide(counted([rule('r', {match})]), stop).plan).toEqual(matched ? fail('UNKNOWN').plan : passed)
})

test.each<[string, Partial<Rule>, string]>([
  ['all without a limit', {}, 'rrrrr'],
  ['as many as its limit', {limit: 2}, 'rr---'],
  ['all after skip', {skip: 2}, '--rrr'],
  ['limit after skip', {skip: 1, limit: 2}, '-rr--'],
  ['none with limit 0', {limit: 0}, '-----'],
  ['every second', {every: 2}, '-r-r-'],
  ['every second after skip', {every: 2, skip: 1}, '--r-r'],
  ['as many of every second as its limit', {every: 2, limit: 1}, '-r---'],
  ['none of the socket', {fault: refuse()}, '-----'],
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

const ofPod = (pod: string): MatchedCall => ({...stop, pod})

test('decide() counts for each pod by itself, and in all', () => {
  const rules = [rule('r', {per: 'pod', skip: 1, limit: 1})]
  const calls = ['a', 'b', 'a', 'a', 'b', 'c'].map(ofPod)
  expect(takers(rules, calls).join('')).toBe('--r-r-')
  const {rules: after} = calls.reduce((last, call) => decide(last.rules, call), {rules: counted(rules)} as Pick<Decision, 'rules'>)
  expect(after).toMatchObject([{seen: 6, taken: 2}])
})

test.each<[string, readonly MatchedCall[], string]>([
  ['container', ['a', 'b', 'a'].map((pod) => ({...ofPod(pod), container: 'main'})), 'rr-'],
  ['pvc', [stop, {...stop, pvc: 'x/y'}, stop], 'rr-'],
  ['method', [stop, {...stop, method: 'StopContainer'}, stop], 'rr-'],
  ['request.id', [stop, stop], 'r-'],
  ['config.metadata.name', [stop, {...stop, request: {config: {metadata: {name: 'b'}}}}, stop, {...stop, request: {}}], 'rr-r'],
])('decide() counts for each %s', (per, calls, expected) => {
  expect(takers([rule('r', {match: {}, per, limit: 1})], calls).join('')).toBe(expected)
})

const noDraw = () => 0

test.each([
  [{from: 10}, '--rr'],
  [{until: 10}, 'rr--'],
  [{from: 9, until: 20}, '-rr-'],
])('decide() lets %j see calls of that time alone', (window, expected) => {
  let rules = counted([rule('r', window)], 1000)
  const took = [1000, 1009, 1010, 1020].map((at) => {
    const decision = decide(rules, stop, {at, draw: noDraw})
    rules = decision.rules
    return decision.rule === undefined ? '-' : 'r'
  })
  expect(took.join('')).toBe(expected)
  expect(rules[0]?.seen).toBe(2)
})

test('decide() takes of a probability those that are drawn, and counts them alone for the limit', () => {
  const drawn = [0.9, 0.2, 0.5, 0.1, 0.3]
  const rules = [rule('r', {probability: 0.5, limit: 2}), rule('rest')]
  expect(takers(rules, Array(5).fill(stop), (_, nth) => drawn[nth - 1] ?? 1)).toEqual(['rest', 'r', 'rest', 'r', 'rest'])
})

test('decide() draws for a rule the same, whatever other rules there are', () => {
  const draw = drawsOf(7)
  const lucky = rule('lucky', {probability: 0.3})
  const calls = Array(200).fill(stop)
  const alone = takers([lucky], calls, draw)
  expect(new Set(alone).size).toBe(2)
  const jittered = rule('other', {match: {method: 'RunPodSandbox'}, probability: 0.5, fault: delay(1, 1, 50)})
  expect(takers([jittered, lucky], calls, draw)).toEqual(alone)
})

test.each<[string, Fault, number, number]>([
  ['before', delay(100, undefined, 10), 105, Number.NaN],
  ['after', delay(0, 100, 10), 0, 109],
  ['before and after', delay(100, 200, 10), 105, 209],
  ['of no wait before', delay(0, undefined, 10), 5, Number.NaN],
])('decide() adds jitter %s', (_, fault, before, after) => {
  const draw = (_: string, __: number, what: string) => (what === 'before' ? 0.5 : 0.9)
  const {plan} = decide(counted([rule('r', {fault})]), stop, {at: 0, draw})
  expect(plan.before).toBe(before)
  expect(plan.reply.kind === 'hold' ? plan.reply.ms : Number.NaN).toBe(after)
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
