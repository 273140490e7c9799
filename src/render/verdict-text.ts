// A verdict in a few words, for formats that have one line.
import type {Finding} from '../findings/finding.ts'
import type {CheckReport} from '../findings/report.ts'
import type {Verdict} from '../findings/verdict.ts'

/** '1 error, 2 info': most severe first, as findings are. */
export function countText(findings: readonly Finding[]): string {
  if (findings.length === 0) return 'no finding'
  const counts = new Map<string, number>()
  for (const {severity} of findings) counts.set(severity, (counts.get(severity) ?? 0) + 1)
  return [...counts].map(([severity, count]) => `${count} ${severity}`).join(', ')
}

/** The one to tell of where there is room for one: of the most severe ones, one that others may follow from. */
export function worstOf([first, ...rest]: readonly Finding[]): Finding | undefined {
  return [first, ...rest].find((each) => each?.severity === first?.severity && each?.cause === null) ?? first
}

/** Where nothing fails: it says what was found all the same, and what was not seen. */
export function calmText({findings, metadata, unseen}: CheckReport, {failOn}: Verdict): string {
  const known = findings.filter((each) => each.known).length
  const milder = findings.filter((each) => !each.known)
  const nothing = findings.length === 0 ? 'no finding' : `nothing${metadata.baseline === undefined ? '' : ' new'} at or above ${failOn}`
  return [
    nothing,
    ...(milder.length === 0 ? [] : [countText(milder)]),
    ...(known === 0 ? [] : [`${known} known`]),
    ...(unseen.length === 0 ? [] : [`${unseen.length} ${unseen.length === 1 ? 'source' : 'sources'} not seen`]),
  ].join(', ')
}

export function blindText({blind}: Verdict): string {
  return `could not look: ${blind.map(({source, why}) => `${source}: ${why}`).join('; ')}`
}
