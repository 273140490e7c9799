// Calls as they end: a line each, in columns that keep their places, and the ledger when it is over.
import type {TracedCall} from '../proxy/call/traced-call.ts'
import type {Ledger} from '../proxy/trace/ledger.ts'
import type {TraceHears} from '../proxy/trace/trace-hears.ts'
import {aboutWords, serverWords, shortDuration, timeOfDay} from './call-line.ts'
import {escapedJson, oneLine} from './escaped.ts'
import {fittedTable} from './fitted-table.ts'
import {width} from './width.ts'

export const traceOutputs = ['table', 'jsonl'] as const

const columns = [
  ['TIME (UTC)', 12],
  ['METHOD', 25],
  ['LEFT', 7],
  ['TOOK', 7],
  ['CODE', 17],
  ['SIZE', 13],
  ['FAULT', 15],
  ['CLASS', 9],
  ['OWED', 19],
  ['ABOUT', 0],
] as const

export type TraceOutput = (typeof traceOutputs)[number]

export interface TraceLines extends TraceHears {
  ledger(ledger: Ledger, terminal: number): void
}

export interface TraceLinesOptions {
  readonly output: TraceOutput
  /** How long it goes on, as the user says; absent: until it is stopped. */
  readonly forTime?: string
}

/** @param print a piece that ends in a line break @param tell a word for whoever waits */
export function traceLines({output, forTime}: TraceLinesOptions, print: (text: string) => void, tell: (text: string) => void): TraceLines {
  const json = (value: object) => print(`${escapedJson(JSON.stringify(value))}\n`)
  const isTable = output === 'table'
  return {
    started: (where) => {
      tell(`calls by ${where}, ${forTime === undefined ? 'until Ctrl-C' : `for ${forTime} or until Ctrl-C`}`)
      if (isTable) print(traceHeader())
    },
    call: (call) => (isTable ? print(traceRow(call)) : json(call)),
    trouble: tell,
    ledger: (ledger, terminal) => (isTable ? print(`\n${ledgerText(ledger, terminal)}`) : json({kind: 'Ledger', ...ledger})),
  }
}

const traceHeader = (): string => row(columns.map(([name]) => name))

/** LEFT: what the client's deadline had left when the call came. SIZE: of the request and the answer. */
function traceRow(call: TracedCall): string {
  const {at, method, timeoutMs, durationMs, code, requestBytes, responseBytes, rule, fault, owed, skipped} = call
  const words = [aboutWords(call), serverWords(call)].filter((word) => word !== '').join(': ')
  if (call.update) return row([timeOfDay(at), method, '', '', '', '', fault ?? '', '', '', words])
  return row([
    timeOfDay(at),
    method,
    timeoutMs === undefined ? '-' : shortDuration(timeoutMs),
    shortDuration(durationMs),
    code,
    `${shortSize(requestBytes)}/${shortSize(responseBytes)}`,
    skipped === undefined ? (fault ?? rule ?? '-') : `skipped: ${skipped}`,
    call.class ?? '-',
    owed ?? '-',
    words,
  ])
}

function row(cells: readonly string[]): string {
  const filled = cells.map(oneLine).map((cell, index) => cell + ' '.repeat(Math.max(0, (columns[index]?.[1] ?? 0) - width(cell))))
  return `${filled.join('  ').trimEnd()}\n`
}

function shortSize(bytes: number): string {
  if (bytes < 1000) return `${bytes}B`
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)}kB` : `${(bytes / 1_000_000).toFixed(1)}MB`
}

/** Who spent the deadlines, and what servers did that nobody heard. */
function ledgerText({spenders, lateSuccesses, more}: Ledger, terminal: number): string {
  if (spenders.length === 0) return 'No call came.\n'
  const share = (ms: number) => (ms === 0 ? '-' : shortDuration(ms))
  const spent = spenders.map(({service, method, calls, failed, allowedMs, spentMs, serverMs, faultMs, waitingMs}) => [
    `${service}/${method}`,
    `${calls}`,
    `${failed}`,
    ...[allowedMs, spentMs, serverMs, faultMs, waitingMs].map(share),
  ])
  const late = lateSuccesses.map(({id, at, method, about = '-', code, lateMs, owed = '-', rule = '-'}) => [
    `${id}`,
    timeOfDay(at),
    method,
    about,
    code,
    lateMs > 0 ? `${shortDuration(lateMs)} late` : 'answer lost',
    owed,
    rule,
  ])
  return [
    'Who spent the deadlines:\n',
    fittedTable(['METHOD', 'CALLS', 'FAILED', 'ALLOWED', 'SPENT', 'SERVER', 'FAULT', 'WAITING'], spent, terminal),
    lateSuccesses.length === 0
      ? '\nNo server did what its client was not told.\n'
      : '\nDone by the server, and the client does not know:\n',
    ...(late.length === 0
      ? []
      : [fittedTable(['CALL', 'TIME (UTC)', 'METHOD', 'ABOUT', 'CLIENT HAS', 'SERVER', 'OWED', 'RULE'], late, terminal)]),
    ...(more === 0 ? [] : [`and ${more} more\n`]),
  ].join('')
}
