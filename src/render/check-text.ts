// A report for people: each finding with its evidence and the next command, then what was not seen.

import type {CheckReport} from '../findings/report.ts'
import {oneLine} from './escaped.ts'
import {findingText} from './finding-text.ts'
import {unseenLines} from './unseen-text.ts'
import {countText} from './verdict-text.ts'

export function checkText(report: CheckReport): string {
  const {node, when} = report.metadata
  const head = `${node === '' ? 'this node' : `node ${oneLine(node)}`} at ${when}: ${countText(report.findings)}`
  return [head, ...report.findings.map((finding) => `\n${findingText(finding)}`), ...unseenText(report), lookedText(report)].join('\n')
}

function unseenText({unseen}: CheckReport): string[] {
  if (unseen.length === 0) return []
  return ['', 'Not seen:', ...unseenLines(unseen)]
}

function lookedText({looked}: CheckReport): string {
  return looked.length === 0
    ? '\nLooked for nothing: what that needs was not seen.'
    : `\nLooked for ${looked.join(', ')} (kubelimbo explain CODE).`
}
