// Whether the causes of a report lead somewhere: to one finding of the report each, and never round.
import type {CheckReport} from '../../../src/findings/report.ts'

type Named = Pick<CheckReport['findings'][number], 'code' | 'subject'>

const nameOf = ({code, subject}: Named) => `${code} ${JSON.stringify(Object.entries(subject).toSorted(([a], [b]) => (a < b ? -1 : 1)))}`

/** What is wrong with the causes, a sentence each. */
export function wrongCauses({findings}: CheckReport): string[] {
  return findings.flatMap((finding) => {
    const seen = new Set<string>()
    for (let at: CheckReport['findings'][number] | undefined = finding; at !== undefined; ) {
      const name = nameOf(at)
      if (seen.has(name)) return [`${nameOf(finding)} is led round to ${name}`]
      seen.add(name)
      const {cause} = at
      if (cause === null) return []
      const named: CheckReport['findings'] = findings.filter((each) => nameOf(each) === nameOf(cause))
      if (named.length !== 1) return [`${name} names ${nameOf(cause)}, which is there ${named.length} times`]
      at = named[0]
    }
    return []
  })
}

/** The code at the end of the causes of the only finding of this code; its own where it has none. */
export function rootOf(report: CheckReport, code: string): string {
  let [at, ...more] = report.findings.filter((each) => each.code === code)
  if (at === undefined || more.length > 0)
    throw new Error(`Cannot follow ${code} as it must be there once: it is there ${more.length + (at ? 1 : 0)} times`)
  for (let next: Named | null = at.cause; next !== null && at !== undefined; next = at?.cause ?? null) {
    const name = nameOf(next)
    at = report.findings.find((each) => nameOf(each) === name)
  }
  return at?.code ?? ''
}
