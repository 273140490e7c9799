// The rules in force, but for calls about pods and claims of namespaces that are to be left alone: they pass and do not count.
//
// What is known of a name decides: from the request itself, from what was told and from the calls that passed. A call whose pod or claim nobody knows is like any other.
import {passed} from '../../faults/plan.ts'
import type {MatchedCall} from '../../faults/rule.ts'
import type {CallBook} from './call-book.ts'
import type {CalledMethod} from './call-head.ts'
import {namesSomebody} from './describe/names-somebody.ts'
import {knownMethod} from './known-methods.ts'
import type {RuleBook} from './rule-book.ts'

export function protectingBook(book: RuleBook, namespaces: readonly string[]): CallBook {
  const left = new Set(namespaces)
  const namespaceOf = ({pod, pvc}: MatchedCall) =>
    [pod, pvc].map((name) => name?.slice(0, name.indexOf('/'))).find((namespace) => namespace !== undefined && left.has(namespace))
  return {
    mayMatch: (call) => {
      const may = book.mayMatch(call)
      return may === 'by-head' && hasNames(call) ? 'by-message' : may
    },
    decide: (call) => {
      const namespace = namespaceOf(call)
      if (namespace === undefined) return book.decide(call)
      const spared = book.wouldTake(call) !== undefined
      return {plan: passed, ...(spared ? {skipped: `${namespace} is left alone without --force`} : {})}
    },
    // Rules may come later: they are to find names.
    usesNames: true,
    memoryOf: (rule) => book.memoryOf(rule),
  }
}

function hasNames({service, method}: CalledMethod): boolean {
  const known = knownMethod(`/${service}/${method}`)
  return known !== undefined && namesSomebody(known.input)
}
