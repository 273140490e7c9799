// The list of scenarios, for people and programs.
import {profileVersions} from '../kubelet/profiles.ts'
import type {ScenarioList} from '../scenario/scenario-list.ts'
import {type DataFormat, dataText} from './data.ts'
import {oneLine} from './escaped.ts'
import {fittedTable, naturalWidth} from './fitted-table.ts'
import {wrap} from './wrap.ts'

export async function renderScenarioList(list: ScenarioList, output: 'table' | DataFormat, columns: number): Promise<string> {
  if (output !== 'table') return await dataText(list, output)
  const rows = list.items.map(({name, label, title, reproducedOn}) => [name, label, versionsText(reproducedOn), title])
  const header = ['SCENARIO', 'LABEL', 'BUG ON', 'TITLE']
  if (naturalWidth(header, rows) <= columns) return fittedTable(header, rows, columns)
  const paragraphs = rows.map(([name, label, versions, title]) => [
    ...wrap(oneLine(`${name} (${label}), bug on ${versions}`), columns, 2),
    ...wrap(oneLine(`  ${title}`), columns, 2),
  ])
  return `${paragraphs.flat().join('\n')}\n`
}

function versionsText(versions: readonly string[]): string {
  if (versions.length === 0) return 'none'
  return versions.length === profileVersions.length ? 'all' : versions.join(', ')
}
