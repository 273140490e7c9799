// What became of sockets that were taken over.
import type {Restored, RestoreReport} from '../proxy/takeover/restore/restored.ts'
import {dataText} from './data.ts'
import {oneLine} from './escaped.ts'
import {table} from './table.ts'

const header = ['SOCKET', 'OUTCOME', 'WHY']

export async function renderRestore(report: RestoreReport, output: 'table' | 'json' | 'yaml'): Promise<string> {
  if (output !== 'table') return await dataText(report, output)
  const {items, journals, socket, elsewhere} = report
  const more = elsewhere === undefined ? '' : `${oneLine(`Note: ${elsewhere}.`)}\n`
  const of = socket === undefined ? '' : ` of ${socket}`
  if (items.length === 0) return `${oneLine(`Nothing to restore: there is no journal of a takeover${of} in ${journals}.`)}\n${more}`
  const text = table(
    header,
    items.map((item) => [item.socket ?? item.journal, item.outcome, said(item)]),
  )
  return `${text}${more}`
}

function said(item: Restored): string {
  return [what(item), ...held(item)].join('; ')
}

function what(item: Restored): string {
  switch (item.outcome) {
    case 'given back':
      return 'new connections reach its server again'
    case 'was back':
      return 'the original is at its path'
    case 'left alone':
      return item.alive
        ? 'its server has restarted and has the path: only what was ours is removed'
        : 'another socket is at the path, and nobody listens there: restart its server'
    case 'server gone':
      return 'its server is gone: it makes a new socket when it starts'
    case 'to be given back':
      return 'without --dry-run it is given back'
    case 'failed':
      return `${item.why}. By hand: ${item.byHand}`
    default:
      return item satisfies never
  }
}

function held({holder}: Restored): readonly string[] {
  if (holder === undefined) return []
  if (holder.otherBoot) return ['it was taken over before the node started anew']
  if (holder.proxy === 'there') return [`process ${holder.pid}, which had it, sees that and ends`]
  return [`process ${holder.pid}, which had it, is gone`]
}
