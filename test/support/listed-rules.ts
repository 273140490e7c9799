// The rules of a proxy without a proxy.
import type {Rule} from '../../src/faults/rule.ts'
import type {ProxyRules} from '../../src/proxy/rules-in-force.ts'

export function listedRules(...first: readonly Rule[]): ProxyRules {
  let rules = [...first]
  let paused = false
  return {
    list: () => rules.map((rule) => ({rule, seen: 3, taken: 2})),
    add: (rule) => void rules.push(rule),
    remove: (name) => {
      const before = rules.length
      rules = rules.filter((rule) => rule.name !== name)
      return rules.length < before
    },
    clear: () => {
      rules = []
    },
    pause: (next) => {
      paused = next
    },
    get paused() {
      return paused
    },
  }
}
