// What an exploration has found, for people and programs.
import type {ExploreReport, FoundViolation} from '../scenario/explore/explore-report.ts'
import {type DataFormat, dataText} from './data.ts'
import {oneLine} from './escaped.ts'
import {fittedTable, naturalWidth} from './fitted-table.ts'
import {unbounded, wrap} from './wrap.ts'

const header = ['BROKEN', 'HOW', 'HISTORIES', 'MENDED BY', 'AGAIN WITH']
const mending = 3
/** Of the column MENDED BY: fewer cannot be read. */
const leastMending = 40

export async function renderExplore(report: ExploreReport, output: 'table' | DataFormat, columns: number = unbounded): Promise<string> {
  if (output !== 'table') return await dataText(report, output)
  const {histories, findings, metadata} = report
  const turned = metadata.switches.length === 0 ? '' : ` with ${metadata.switches.join(',')}`
  const on = `${counted(histories)} on a kubelet ${metadata.profile}${turned}`
  if (findings.length === 0) return `${wrap(`${on}: nothing broke what must hold.`, columns).join('\n')}\n`
  return `${wrap(`${on}:`, columns).join('\n')}\n\n${findingsText(findings, columns)}`
}

/** A table where there is room, else a paragraph each. A command is one to be copied: no column breaks it. */
function findingsText(findings: readonly FoundViolation[], columns: number): string {
  const rows = findings.map((each) => [each.invariant, each.how, `${each.histories}`, switchesText(each), flagsOf(each)])
  const least = naturalWidth(
    header,
    rows.map((row) => row.with(mending, `${row[mending]}`.slice(0, leastMending))),
  )
  if (least <= columns) return fittedTable(header, rows, columns, mending)
  const paragraph = (found: FoundViolation) => [
    ...wrap(oneLine(`${found.invariant}: ${found.how} (in ${counted(found.histories)})`), columns, 2),
    ...wrap(oneLine(`  mended by   ${switchesText(found)}`), columns, 14),
    ...wrap(oneLine(`  again with  ${flagsOf(found)}`), columns, 14),
  ]
  return findings.map((each) => `${paragraph(each).join('\n')}\n`).join('\n')
}

/** '--profile 1.17.3 --seed 7 --runs 1' */
const flagsOf = ({command}: FoundViolation): string => command.replace(/^kubelimbo repro explore /, '')

function switchesText({switches, otherSwitches}: FoundViolation): string {
  if (switches.length === 0) return 'none of the switches known'
  const [first, ...others] = [switches, ...otherSwitches].map((set) => set.join(' + '))
  return others.length === 0 ? `${first}` : `${first} (or ${others.join(', or ')})`
}

const counted = (histories: number): string => (histories === 1 ? '1 history' : `${histories} histories`)
