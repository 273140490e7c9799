// What a recording has: calls by method, what was not kept, what was taken out, and what can be done with it.
import {shellWord} from '../findings/shell-word.ts'
import type {RecordingSummary} from '../proxy/recording/recorder.ts'
import {dataText} from './data.ts'
import {oneLine} from './escaped.ts'
import {fittedTable} from './fitted-table.ts'

export const recordOutputs = ['table', 'json', 'yaml'] as const

export interface RecordView extends RecordingSummary {
  readonly file: string
  /** Where clients find the servers. */
  readonly sockets: readonly string[]
}

export async function renderRecord(report: RecordView, output: (typeof recordOutputs)[number], columns: number): Promise<string> {
  const replay = `kubelimbo replay ${shellWord(report.file)}`
  if (output !== 'table') return dataText({apiVersion: 'kubelimbo/v1', kind: 'RecordReport', ...report, replay}, output)
  const {file, calls, methods, bytes, unkept, redactions, missing, broken} = report
  const rows = methods.map(({socket, service, method, calls: count, codes}) => [
    socket,
    `${service}/${method}`,
    `${count}`,
    codesText(codes),
  ])
  const lines = [
    ...(rows.length === 0 ? [] : [fittedTable(['SOCKET', 'METHOD', 'CALLS', 'CODES'], rows, columns)]),
    `${oneLine(file)}: ${count(calls, 'call')}, ${sizeText(bytes)}`,
    ...(broken === undefined ? [] : [`It ended before its time: ${oneLine(broken)}`]),
    ...(missing === 0
      ? []
      : [
          `${missing === 1 ? '1 call is' : `${missing} calls are`} not in it at all: the file did not take ${missing === 1 ? 'it' : 'them'}.`,
        ]),
    ...listed('Calls whose messages are not all in it:', unkept),
    ...(Object.keys(redactions).length === 0 ? ['Nothing had to be taken out.'] : listed('Taken out:', redactions)),
    `Serve it with: ${oneLine(replay)}`,
  ]
  return lines.map((line) => (line.endsWith('\n') ? line : `${line}\n`)).join('')
}

const listed = (title: string, counts: Readonly<Record<string, number>>): readonly string[] => {
  const entries = Object.entries(counts).map(([name, each]) => `  ${each} × ${oneLine(name)}`)
  return entries.length === 0 ? [] : [title, ...entries]
}

const codesText = (codes: Readonly<Record<string, number>>): string =>
  Object.entries(codes)
    .map(([code, each]) => `${each} ${code}`)
    .join(', ')

const count = (many: number, noun: string): string => `${many} ${noun}${many === 1 ? '' : 's'}`

function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
