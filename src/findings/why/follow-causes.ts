// Findings as chains: each leads by its causes to one root.
import {oncePer} from '../../base/once-per.ts'
import type {Finding} from '../finding.ts'
import {findingKey} from '../finding-key.ts'

const indexOf = oncePer((findings: readonly Finding[]) => new Map(findings.map((each) => [findingKey(each), each])))

/** The finding and those that it follows from, the root last. Causes that lead back end the chain. */
export function followCauses(finding: Finding, all: readonly Finding[]): readonly Finding[] {
  const byKey = indexOf(all)
  const chain = [finding]
  const met = new Set([findingKey(finding)])
  for (let at = finding.cause; at !== null; ) {
    const cause = byKey.get(findingKey(at))
    if (cause === undefined || met.has(findingKey(cause))) break
    chain.push(cause)
    met.add(findingKey(cause))
    at = cause.cause
  }
  return chain
}

/** Those that no other one of them follows from: where a person meets the trouble. */
export function leavesOf(findings: readonly Finding[]): readonly Finding[] {
  const causes = new Set(findings.flatMap(({cause}) => (cause === null ? [] : [findingKey(cause)])))
  const leaves = findings.filter((finding) => !causes.has(findingKey(finding)))
  return leaves.length > 0 ? leaves : findings.slice(0, 1)
}
