// What an exploration has found, for people and programs.
import type {ExploreReport, FoundViolation} from '../scenario/explore/explore-report.ts'
import {type DataFormat, dataText} from './data.ts'
import {oneLine} from './escaped.ts'
import {fittedTable, naturalWidth} from './fitted-table.ts'
import {unbounded, wrap} from './wrap.ts'

const header = ['BROKEN', 'HOW', 'HISTORIES', 'MENDED BY']
const again = 'AGAIN WITH'

export async function renderExplore(report: ExploreReport, output: 'table' | DataFormat, columns: number = unbounded): Promise<string> {
  if (output !== 'table') return await dataText(report, output)
  const {histories, findings, metadata} = report
  const turned = metadata.switches.length === 0 ? '' : ` with ${metadata.switches.join(',')}`
  const on = `${histories === 1 ? '1 history' : `${histories} histories`} on a kubelet ${metadata.profile}${turned}`
  if (findings.length === 0) return `${wrap(`${on}: nothing broke what must hold.`, columns).join('\n')}\n`
  return `${wrap(`${on}:`, columns).join('\n')}\n\n${findingsText(findings, columns)}`
}

/** The commands have a column of their own where there is room, and are below their rows where there is none. */
function findingsText(findings: readonly FoundViolation[], columns: number): string {
  const rows = findings.map((each) => [each.invariant, each.how, `${each.histories}`, switchesText(each)])
  const whole = rows.map((row, index) => [...row, findings[index]?.command ?? ''])
  if (naturalWidth([...header, again], whole) <= columns) return fittedTable([...header, again], whole, columns)
  const table = fittedTable(header, rows, columns)
  const commands = findings.map(({invariant, command}) => [
    `  ${invariant}`,
    ...wrap(`    ${oneLine(command)}`, columns - 2, 8).map((line, index, {length}) => (index < length - 1 ? `${line} \\` : line)),
  ])
  return `${table}\n${again}\n${commands.flat().join('\n')}\n`
}

function switchesText({switches, otherSwitches}: FoundViolation): string {
  if (switches.length === 0) return 'none of the switches known'
  const [first, ...others] = [switches, ...otherSwitches].map((set) => set.join(' + '))
  return others.length === 0 ? `${first}` : `${first} (or ${others.join(', or ')})`
}
