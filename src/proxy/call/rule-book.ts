// The rules of a proxy as they stand, for all its connections: calls ask it, and people change it.
import {type Clock, steadyNow} from '../../base/clock.ts'
import {UserError} from '../../base/errors.ts'
import {armed, type CountedRule, decide} from '../../faults/decide.ts'
import {drawsOf} from '../../faults/draws.ts'
import {type MayMatch, mayMatch} from '../../faults/match/may-match.ts'
import {passed} from '../../faults/plan.ts'
import type {MatchedCall, Rule} from '../../faults/rule.ts'
import type {ProxyRules} from '../rules-in-force.ts'
import type {CallBook} from './call-book.ts'
import {checkRule} from './check-rule.ts'
import {type RuleMemory, ruleMemory} from './rule-memory.ts'

export interface RuleBook extends ProxyRules, CallBook {
  /** As decide() would have it now, without counting. */
  wouldTake(call: MatchedCall): Rule | undefined
}

export interface RuleBookOptions {
  readonly rules: readonly Rule[]
  /** Of what is random in them. */
  readonly seed: number
  readonly clock: Clock
}

/** Methods that are asked for again and again; whoever makes up more of them is answered anew. */
const mostRemembered = 1000
/** A path may have megabytes. */
const longestRemembered = 500

/** @throws UserError when two rules have one name, or one cannot do its work */
export function ruleBook({rules: first, seed, clock}: RuleBookOptions): RuleBook {
  const draw = drawsOf(seed)
  const memories = new WeakMap<Rule, RuleMemory>()
  const remembered = new Map<string, MayMatch>()
  let rules: readonly CountedRule[] = []
  let paused = false

  const change = (next: readonly CountedRule[]) => {
    rules = next
    remembered.clear()
  }
  const add = (rule: Rule) => {
    if (rules.some((each) => each.rule.name === rule.name))
      throw new UserError(`Cannot add the rule as its name must be its own: there is another '${rule.name}'`)
    checkRule(rule)
    change([...rules, armed(rule, steadyNow(clock))])
  }
  /** Who waits for the rule's next call waits no longer. */
  const retire = ({rule}: CountedRule) => {
    memories.get(rule)?.retire()
    memories.delete(rule)
  }
  for (const rule of first) add(rule)

  return {
    list: () => rules.map(({rule, seen, taken}) => ({rule, seen, taken})),
    add,
    remove: (name) => {
      const going = rules.find((each) => each.rule.name === name)
      if (going === undefined) return false
      retire(going)
      change(rules.filter((each) => each !== going))
      return true
    },
    clear: () => {
      rules.forEach(retire)
      change([])
    },
    pause: (pause) => {
      paused = pause
      // Nobody comes for whom one could wait.
      if (pause) for (const {rule} of rules) memories.get(rule)?.release()
    },
    get paused() {
      return paused
    },
    get usesNames() {
      return rules.some(({rule}) => usesNames(rule))
    },
    mayMatch: (call) => {
      if (paused || rules.length === 0) return 'no'
      const key = `${call.service}/${call.method}`
      const known = remembered.get(key)
      if (known !== undefined) return known
      if (key.length > longestRemembered) return mayMatch(rules, call)
      const answer = mayMatch(rules, call)
      if (remembered.size === mostRemembered) remembered.clear()
      remembered.set(key, answer)
      return answer
    },
    decide: (call) => {
      if (paused) return {plan: passed}
      const decision = decide(rules, call, {at: steadyNow(clock), draw})
      rules = decision.rules
      return decision
    },
    wouldTake: (call) => (paused ? undefined : decide(rules, call, {at: steadyNow(clock), draw}).rule),
    memoryOf: (rule) => {
      const known = memories.get(rule)
      if (known !== undefined) return known
      const fresh = ruleMemory()
      // It may have gone since it took the call: then it has no next one.
      if (rules.some((each) => each.rule === rule)) memories.set(rule, fresh)
      else fresh.retire()
      return fresh
    },
  }
}

const named = new Set(['pod', 'podUid', 'container', 'pvc'])

function usesNames({match: {pod, podUid, container, pvc}, per = ''}: Rule): boolean {
  return named.has(per) || pod !== undefined || podUid !== undefined || container !== undefined || pvc !== undefined
}
