// A report for people: each finding with its evidence and the next command, then what was not seen.

import type {Finding} from '../findings/finding.ts'
import type {CheckReport} from '../findings/report.ts'
import {oneLine} from './escaped.ts'

export function checkText(report: CheckReport): string {
  const {node, when} = report.metadata
  const head = `${node === '' ? 'this node' : `node ${oneLine(node)}`} at ${when}: ${countText(report.findings)}`
  return [head, ...report.findings.map(findingText), ...unseenText(report), lookedText(report)].join('\n')
}

function countText(findings: readonly Finding[]): string {
  if (findings.length === 0) return 'no finding'
  const counts = new Map<string, number>()
  for (const {severity} of findings) counts.set(severity, (counts.get(severity) ?? 0) + 1)
  return [...counts].map(([severity, count]) => `${count} ${severity}`).join(', ')
}

function findingText(finding: Finding): string {
  const lines = [
    '',
    `${finding.severity.toUpperCase()} ${finding.code} ${finding.name}`,
    `  ${oneLine(finding.message)}`,
    ...(finding.next === undefined ? [] : [`  Next: ${oneLine(finding.next)}`]),
    ...finding.evidence.map(({source, fact}) => `    ${source}: ${oneLine(fact)}`),
    ...finding.remedy.map(
      ({command, why, loses}) => `  $ ${oneLine(command)}\n      ${oneLine(why)}${loses === null ? '' : `; loses ${loses}`}`,
    ),
  ]
  return lines.join('\n')
}

function unseenText({unseen}: CheckReport): string[] {
  if (unseen.length === 0) return []
  return ['', 'Not seen:', ...unseen.map(({source, why}) => `  ${oneLine(source)}: ${oneLine(why)}`)]
}

function lookedText({looked}: CheckReport): string {
  return looked.length === 0
    ? '\nLooked for nothing: what that needs was not seen.'
    : `\nLooked for ${looked.join(', ')} (kubelimbo explain CODE).`
}
