// Findings as chains: each leads by its causes to one root.
import type {Finding} from '../finding.ts'

/** The finding and those that it follows from, the root last. Causes that lead back end the chain. */
export function followCauses(finding: Finding, all: readonly Finding[]): readonly Finding[] {
  const byKey = new Map(all.map((each) => [keyOf(each), each]))
  const chain = [finding]
  const met = new Set([keyOf(finding)])
  for (let at = finding.cause; at !== null; ) {
    const cause = byKey.get(keyOf(at))
    if (cause === undefined || met.has(keyOf(cause))) break
    chain.push(cause)
    met.add(keyOf(cause))
    at = cause.cause
  }
  return chain
}

/** Those that no other one of them follows from: where a person meets the trouble. */
export function leavesOf(findings: readonly Finding[]): readonly Finding[] {
  const causes = new Set(findings.flatMap(({cause}) => (cause === null ? [] : [keyOf(cause)])))
  const leaves = findings.filter((finding) => !causes.has(keyOf(finding)))
  return leaves.length > 0 ? leaves : findings.slice(0, 1)
}

function keyOf({code, subject}: Pick<Finding, 'code' | 'subject'>): string {
  return JSON.stringify([code, Object.entries(subject).toSorted(([a], [b]) => (a < b ? -1 : 1))])
}
