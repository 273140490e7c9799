// What differs, a line each: + appeared, - gone, ~ changed, = still there.

import type {FindingChange} from '../findings/diff-findings.ts'
import type {DiffReport, DiffSide} from '../findings/diff-report.ts'
import type {NotCompared} from '../node/diff/compare-nodes.ts'
import {type Difference, type Fact, type FieldChange, groups} from '../node/diff/thing.ts'
import {dataText} from './data.ts'
import {oneLine} from './escaped.ts'
import {subjectText} from './finding-text.ts'

export async function renderDiff(report: DiffReport, output: 'table' | 'json' | 'yaml'): Promise<string> {
  return output === 'table' ? `${diffLines(report).join('\n')}\n` : dataText(report, output)
}

function diffLines({metadata, differences, findings, notCompared}: DiffReport): string[] {
  const byGroup = Map.groupBy(differences, ({group}) => group)
  const told = groups.flatMap((group) => section(group, (byGroup.get(group) ?? []).map(differenceText)))
  return [
    `A  ${sideText(metadata.a)}`,
    `B  ${sideText(metadata.b)}`,
    ...section('findings', findings.map(findingText)),
    ...told,
    ...section('not compared', notCompared.length === 0 ? [] : unknownLines(notCompared)),
    '',
    countText(differences, findings),
  ]
}

function sideText({bundle, node, when}: DiffSide): string {
  return oneLine(`${bundle ?? 'this node'}${node === '' ? '' : `: node ${node}`} at ${when}`)
}

function section(name: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', name, ...lines.map((line) => `  ${line}`)]
}

const signs = {appeared: '+', gone: '-', changed: '~', recreated: '~', new: '+', cleared: '-', still: '='} as const

function differenceText(difference: Difference): string {
  const about = 'fields' in difference ? difference.fields.map(fieldText).join(', ') : factsText(difference.facts)
  const word = difference.change === 'recreated' ? ' recreated' : ''
  // Two sources that say the same need not be named; what one of several says is its own word.
  const source = difference.group === 'pods' && difference.sources.length === 1 ? ` (${difference.sources[0]})` : ''
  return oneLine(`${signs[difference.change]} ${difference.name}${word}${about === '' ? '' : `: ${about}`}${source}`)
}

function fieldText({field, from, to}: FieldChange): string {
  return `${field} ${factText(from)} -> ${factText(to)}`
}

/** The rest is in the data. */
const mostFacts = 4

function factsText(facts: Readonly<Record<string, Fact>>): string {
  const told = Object.entries(facts).map(([field, fact]) => `${field} ${factText(fact)}`)
  return told.slice(0, mostFacts).join(', ') + (told.length > mostFacts ? ' …' : '')
}

const factText = (fact: Fact) => (fact === null ? 'none' : String(fact))

function findingText({change, code, name, severity, was, subject, message}: FindingChange): string {
  const sign = was === undefined ? signs[change] : '~'
  const severe = was === undefined ? severity : `${was} -> ${severity}`
  return `${sign} ${code} ${name} ${severe} ${subjectText(subject)}: ${oneLine(message)}`
}

/** A line for each reason, which is often the same in both. */
function unknownLines(notCompared: readonly NotCompared[]): string[] {
  const reasons = Map.groupBy(notCompared, ({source, why}) => JSON.stringify([source, why]))
  const told = [...reasons.values()].flatMap(([first, second]) =>
    first === undefined ? [] : [{...first, sides: second === undefined ? first.side.toUpperCase() : 'A and B'}],
  )
  const byReason = Map.groupBy(told, ({sides, why}) => `${sides}: ${why}`)
  return [...byReason].map(([why, all]) => oneLine(`${all.map(({source}) => source).join(', ')}: ${why}`))
}

function countText(differences: readonly Difference[], findings: readonly FindingChange[]): string {
  const count = differences.length + findings.filter(({change, was}) => change !== 'still' || was !== undefined).length
  return count === 0 ? 'No difference.' : `${count} difference${count === 1 ? '' : 's'}.`
}
