// The list of scenarios, for people and programs.
import {profileVersions} from '../kubelet/profiles.ts'
import type {ScenarioList} from '../scenario/scenario-list.ts'
import {type DataFormat, dataText} from './data.ts'
import {fittedTable} from './fitted-table.ts'

export async function renderScenarioList(list: ScenarioList, output: 'table' | DataFormat, columns: number): Promise<string> {
  if (output !== 'table') return await dataText(list, output)
  const rows = list.items.map(({name, label, title, reproducedOn}) => [name, label, versionsText(reproducedOn), title])
  return fittedTable(['SCENARIO', 'LABEL', 'BUG ON', 'TITLE'], rows, columns)
}

function versionsText(versions: readonly string[]): string {
  if (versions.length === 0) return 'none'
  return versions.length === profileVersions.length ? 'all' : versions.join(', ')
}
