// Whether `check` names the bug where it is there, and does not where it is not.
import type {Finding} from '../findings/finding.ts'
import type {Checked} from './expect/run-record.ts'
import {secondsOf} from './expect/run-record.ts'
import type {Look} from './look-in-passing.ts'
import type {NamingFinding} from './schema/finding.ts'
import type {Expected} from './schema/scenario.ts'

export interface NamedCheck extends Checked {
  readonly what: string
}

export function checkNamesIt(wanted: NamingFinding, look: Look | undefined, verdict: Expected['verdict'], start: number): NamedCheck {
  const name = `${wanted.codes.join(' or ')}${wanted.severity === undefined ? '' : ` (${wanted.severity})`}`
  const what = verdict === 'reproduced' ? `check names it: ${name}` : `check does not name it: ${name}`
  if (look === undefined) return {what, held: false, why: 'it did not look, as its moment did not come'}
  const found = namingOf(wanted, look.findings)
  const [first] = found
  const when = `at ${secondsOf(look.at - start)}`
  const held = (first !== undefined) === (verdict === 'reproduced')
  if (first !== undefined) return {what, held, why: `${when} it says: ${first.message}`}
  const others = [...new Set(look.findings.map(({code, severity}) => `${code} (${severity})`))]
  return {what, held, why: others.length === 0 ? `${when} it finds nothing` : `${when} it finds ${others.join(', ')}`}
}

/** In the order of a report: the first says most. */
export const namingOf = ({codes, severity}: NamingFinding, findings: readonly Finding[]): readonly Finding[] =>
  findings.filter((each) => codes.includes(each.code) && (severity === undefined || each.severity === severity))
