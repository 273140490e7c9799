// Against another way to say the same: each rule looks at all that it has seen, and keeps no counts.
import fc from 'fast-check'
import {expect, test} from 'vitest'
import {counted, decide} from '../../src/faults/decide.ts'
import {drawsOf} from '../../src/faults/draws.ts'
import {fail} from '../../src/faults/fail.ts'
import type {MatchedCall, Rule} from '../../src/faults/rule.ts'

const methods = ['StopPodSandbox', 'StopContainer', 'ListContainers'] as const
const pods = ['a/x', 'a/y', 'b/x'] as const

interface Timed {
  readonly at: number
  readonly call: MatchedCall
}

const anyCalls: fc.Arbitrary<readonly Timed[]> = fc
  .array(fc.record({wait: fc.nat(5), method: fc.constantFrom(...methods), pod: fc.option(fc.constantFrom(...pods), {nil: undefined})}), {
    maxLength: 60,
  })
  .map((calls) => {
    let at = 1000
    return calls.map(({wait, method, pod}) => {
      at += wait
      return {at, call: {to: 'cri', method, request: {}, ...(pod === undefined ? {} : {pod})}}
    })
  })

const anyRules: fc.Arbitrary<readonly Rule[]> = fc
  .array(
    fc.record(
      {
        match: fc.record(
          {method: fc.constantFrom(...methods, 'Stop*', '*'), pod: fc.constantFrom(...pods, 'a/*', '*/x')},
          {requiredKeys: []},
        ),
        skip: fc.nat(4),
        limit: fc.integer({min: 1, max: 4}),
        every: fc.integer({min: 1, max: 3}),
        per: fc.constantFrom('pod', 'method'),
        probability: fc.constantFrom(0.3, 0.7, 1),
        from: fc.nat(60),
        until: fc.nat(200),
      },
      {requiredKeys: ['match']},
    ),
    {maxLength: 5},
  )
  .map((rules) => rules.map((rule, index) => ({name: `rule ${index}`, fault: fail('UNKNOWN'), ...rule})))

interface Seen {
  readonly key: string
  readonly taken: boolean
}

function plainTakers(rules: readonly Rule[], calls: readonly Timed[], seed: number): readonly string[] {
  const draw = drawsOf(seed)
  const seen = rules.map((): Seen[] => [])
  const like = (text: string | undefined, pattern: string | undefined) =>
    pattern === undefined || (text !== undefined && new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(text))
  return calls.map(({at, call}) => {
    for (const [index, rule] of rules.entries()) {
      const {match, per, skip = 0, every = 1, limit = 1e9, probability = 1, from = 0, until = 1e9} = rule
      const own = seen[index] ?? []
      if (at - 1000 < from || at - 1000 >= until || !like(call.method, match.method) || !like(call.pod, match.pod)) continue
      const key = (per === 'pod' ? call.pod : per === 'method' ? call.method : undefined) ?? ''
      const same = own.filter((each) => each.key === key)
      const numbers = Array.from({length: same.length + 1}, (_, number) => number + 1).slice(skip)
      const isNth = numbers.filter((_, number) => number % every === every - 1).includes(same.length + 1)
      const isLeft = same.filter((each) => each.taken).length < limit
      const taken = isNth && isLeft && draw(rule.name, own.length + 1, 'probability') < probability
      own.push({key, taken})
      if (taken) return rule.name
    }
    return '-'
  })
}

test('decide() is what looking at all calls before gives', () => {
  fc.assert(
    fc.property(anyRules, anyCalls, fc.nat(), (rules, calls, seed) => {
      const draw = drawsOf(seed)
      let now = counted(rules, 1000)
      const took = calls.map(({at, call}) => {
        const decision = decide(now, call, {at, draw})
        now = decision.rules
        return decision.rule?.name ?? '-'
      })
      expect(took).toEqual(plainTakers(rules, calls, seed))
      expect(now.map(({taken}) => taken)).toEqual(rules.map(({name}) => took.filter((each) => each === name).length))
    }),
    {numRuns: 500},
  )
})
