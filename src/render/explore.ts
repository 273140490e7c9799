// What an exploration has found, for people and programs.
import type {ExploreReport, FoundViolation} from '../scenario/explore/explore-report.ts'
import {type DataFormat, dataText} from './data.ts'
import {table} from './table.ts'

export async function renderExplore(report: ExploreReport, output: 'table' | DataFormat): Promise<string> {
  if (output !== 'table') return await dataText(report, output)
  const {histories, findings, metadata} = report
  const on = `${histories === 1 ? '1 history' : `${histories} histories`} on a kubelet ${metadata.profile}${metadata.turned === '' ? '' : ` with ${metadata.turned}`}`
  if (findings.length === 0) return `${on}: nothing broke what must hold.\n`
  const rows = findings.map((each) => [
    each.invariant,
    each.how,
    `${each.histories}`,
    switchesText(each),
    `${each.command.replace(/^.*--seed/, '--seed')}`,
  ])
  return `${on}:\n\n${table(['BROKEN', 'HOW', 'HISTORIES', 'MENDED BY', 'AGAIN WITH'], rows, 40)}`
}

function switchesText({switches, otherSwitches}: FoundViolation): string {
  if (switches.length === 0) return 'none of the switches known'
  const [first, ...others] = [switches, ...otherSwitches].map((set) => set.join(' + '))
  return others.length === 0 ? `${first}` : `${first} (or ${others.join(', or ')})`
}
