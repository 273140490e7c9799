import {expect, test} from 'vitest'
import type {TracedCall} from '../../src/proxy/call/traced-call.ts'
import {ledgerBook} from '../../src/proxy/trace/ledger.ts'
import {type TraceOutput, traceLines} from '../../src/render/trace.ts'
import {tracedCall} from '../support/traced-calls.ts'

const late: TracedCall = tracedCall({
  id: 2,
  durationMs: 120_000,
  code: 'DEADLINE_EXCEEDED',
  rule: 'stage',
  fault: 'hang-after-exec',
  class: 'uncertain',
  owed: 'NodeUnstageVolume',
  pvc: 'default/data',
  requestBytes: 2000,
  responseBytes: 17_000_000,
})
const calls = [
  tracedCall({volume: 'v\u001b[31m'}),
  late,
  {...late, update: true as const, upstream: {code: 'OK', durationMs: 123_200, late: true}},
]

function said(output: TraceOutput, seen: readonly TracedCall[] = calls, forTime?: string) {
  let text = ''
  const told: string[] = []
  const lines = traceLines(
    {output, ...(forTime !== undefined && {forTime})},
    (more) => (text += more),
    (more) => told.push(more),
  )
  const book = ledgerBook()
  lines.started('unix:///l before unix:///u')
  for (const call of seen) {
    lines.call(call)
    book.add(call)
  }
  lines.ledger(book.ledger(), 500)
  return {text, told}
}

test('traceLines() has a row for each call, in columns that keep their places, and the ledger', () => {
  const {text, told} = said('table')
  expect(told).toEqual(['calls by unix:///l before unix:///u, until Ctrl-C'])
  expect(text).toBe(
    `TIME (UTC)    METHOD                     LEFT     TOOK     CODE               SIZE           FAULT            CLASS      OWED                 ABOUT
03:00:00.000  NodeStageVolume            2m       10ms     OK                 100B/5B        -                -          -                    v\\x1b[31m
03:00:00.000  NodeStageVolume            2m       2m       DEADLINE_EXCEEDED  2.0kB/17.0MB   hang-after-exec  uncertain  NodeUnstageVolume    default/data
03:00:00.000  NodeStageVolume                                                                hang-after-exec                                  default/data: the server ended with OK 3.2s after the client had gone

Who spent the deadlines:
METHOD                       CALLS  FAILED  ALLOWED  SPENT  SERVER  FAULT  WAITING
csi.v1.Node/NodeStageVolume  2      1       4m       2m     2m      -      -

Done by the server, and the client does not know:
CALL  TIME (UTC)    METHOD           ABOUT         CLIENT HAS         SERVER     OWED               RULE
2     03:00:00.000  NodeStageVolume  default/data  DEADLINE_EXCEEDED  3.2s late  NodeUnstageVolume  stage
`,
  )
})

test('traceLines() of no call says so', () => {
  expect(said('table', []).text.endsWith('\n\nNo call came.\n')).toBe(true)
})

test('traceLines() in JSON has a call a line, and the ledger as the last', () => {
  const lines = said('jsonl')
    .text.trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.slice(0, 3)).toEqual(calls)
  expect(lines[3]).toMatchObject({kind: 'Ledger', spenders: [{calls: 2}], lateSuccesses: [{id: 2, lateMs: 3200}]})
})

test('traceLines() says how long it goes on', () => {
  expect(said('table', []).told).toEqual(['calls by unix:///l before unix:///u, until Ctrl-C'])
  expect(said('table', [], '1s').told).toEqual(['calls by unix:///l before unix:///u, for 1s or until Ctrl-C'])
})
