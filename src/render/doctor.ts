// What doctor found: four tables, or data.
import {dataText} from './data.ts'
import {table} from './table.ts'

interface Line {
  readonly name: string
  readonly value: string
  readonly why: string
}

export interface DoctorView {
  readonly rights: readonly Line[]
  readonly kubelet: readonly Line[]
  readonly credentials: readonly Line[]
  readonly sources: readonly {readonly source: string; readonly seen: boolean; readonly why: string; readonly hint?: string}[]
  readonly notes: readonly string[]
}

export async function renderDoctor(report: DoctorView, output: 'table' | 'json' | 'yaml'): Promise<string> {
  if (output !== 'table') return dataText(report, output)
  const {rights, kubelet, credentials, sources, notes} = report
  const lines = (title: string, told: readonly Line[], second = 'VALUE') =>
    told.length === 0
      ? []
      : [
          table(
            [title, second, 'WHY'],
            told.map(({name, value, why}) => [name, value, why]),
          ),
        ]
  return [
    ...lines('RIGHTS', rights),
    ...lines('KUBELET', [...kubelet, ...notes.map((note) => ({name: 'note', value: '', why: note}))]),
    ...lines('CREDENTIALS', credentials, 'STATE'),
    table(
      ['SOURCE', 'SEEN', 'HOW, OR WHY NOT'],
      sources.map(({source, seen, why, hint}) => [source, seen ? 'yes' : 'no', hint === undefined ? why : `${why} (${hint})`]),
    ),
  ].join('\n')
}
