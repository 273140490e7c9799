// The list of scenarios, for people and programs.
import type {ScenarioList} from '../scenario/scenario-list.ts'
import {type DataFormat, dataText} from './data.ts'
import {table} from './table.ts'

export async function renderScenarioList(list: ScenarioList, output: 'table' | DataFormat): Promise<string> {
  if (output !== 'table') return await dataText(list, output)
  return table(
    ['SCENARIO', 'LABEL', 'BUG ON', 'TITLE'],
    list.items.map(({name, label, title, reproducedOn}) => [name, label, reproducedOn.join(', '), title]),
  )
}
