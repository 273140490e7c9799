import {expect, test} from 'vitest'
import {ledgerBook} from '../../../src/proxy/trace/ledger.ts'
import {tracedCall} from '../../support/traced-calls.ts'

function ledgerOf(...calls: readonly Parameters<typeof tracedCall>[0][]) {
  const book = ledgerBook()
  for (const call of calls) book.add(tracedCall(call))
  return book.ledger()
}

test.each([
  ['an answer', {durationMs: 30}, {serverMs: 30}],
  ['an error of the server', {durationMs: 30, code: 'INTERNAL'}, {serverMs: 30}],
  ['a deadline that passed', {durationMs: 30, code: 'DEADLINE_EXCEEDED'}, {waitingMs: 30}],
  ['a client that left', {durationMs: 30, code: 'CANCELLED'}, {waitingMs: 30}],
  ['a call that a rule held', {durationMs: 30, code: 'DEADLINE_EXCEEDED', rule: 'r', fault: 'hang-call'}, {faultMs: 30}],
  [
    'a call that the server did before its answer was lost',
    {durationMs: 30, code: 'DEADLINE_EXCEEDED', rule: 'r', upstream: {code: 'OK', durationMs: 10, late: false}},
    {serverMs: 10, faultMs: 20},
  ],
  [
    'a call that the server did when the client had gone',
    {durationMs: 30, code: 'DEADLINE_EXCEEDED', rule: 'r', upstream: {code: 'OK', durationMs: 90, late: true}},
    {serverMs: 30},
  ],
  ['an answer that a rule kept back', {durationMs: 30, rule: 'r', fault: 'delay-reply', serverMs: 10}, {serverMs: 10, faultMs: 20}],
  ['an answer that came at a pace', {durationMs: 30, rule: 'r', fault: 'throttle', serverMs: 1}, {serverMs: 1, faultMs: 29}],
  [
    'an answer that was made too large for the client',
    {durationMs: 30, code: 'CANCELLED', rule: 'r', fault: 'pad', serverMs: 10},
    {serverMs: 10, faultMs: 20},
  ],
  ['a call that a rule delayed', {durationMs: 30, rule: 'r', fault: 'delay', serverMs: 10}, {serverMs: 10, faultMs: 20}],
])('ledgerBook() tells whose the time of %s was', (_, call, expected) => {
  expect(ledgerOf(call).spenders).toEqual([
    {
      service: 'csi.v1.Node',
      method: 'NodeStageVolume',
      calls: 1,
      failed: 'code' in call ? 1 : 0,
      spentMs: 30,
      faultMs: 0,
      serverMs: 0,
      waitingMs: 0,
      allowedMs: 120_000,
      ...expected,
    },
  ])
})

test('ledgerBook() adds up by method, the one that took most first', () => {
  const {spenders} = ledgerOf({durationMs: 5}, {durationMs: 7, method: 'NodePublishVolume'}, {durationMs: 6})
  expect(spenders.map(({method, calls, spentMs, allowedMs}) => [method, calls, spentMs, allowedMs])).toEqual([
    ['NodeStageVolume', 2, 11, 240_000],
    ['NodePublishVolume', 1, 7, 120_000],
  ])
})

test('ledgerBook() counts a call once when there is more to say of it later', () => {
  const first = {id: 4, durationMs: 30, code: 'DEADLINE_EXCEEDED', rule: 'r', volume: 'vol-1', owed: 'NodeUnstageVolume'}
  const ledger = ledgerOf(first, {...first, update: true, upstream: {code: 'OK', durationMs: 3030, late: true}})
  expect(ledger.spenders).toMatchObject([{calls: 1, failed: 1, spentMs: 30, serverMs: 30, faultMs: 0}])
  expect(ledger.lateSuccesses).toEqual([
    {
      id: 4,
      at: Date.UTC(2026, 10, 30, 3, 0, 0),
      method: 'NodeStageVolume',
      about: 'vol-1',
      code: 'DEADLINE_EXCEEDED',
      lateMs: 3000,
      owed: 'NodeUnstageVolume',
      rule: 'r',
    },
  ])
})

test.each([
  ['did it, and the client knows', {code: 'OK', upstream: {code: 'OK', durationMs: 1, late: false}}, 0],
  ['failed late', {code: 'DEADLINE_EXCEEDED', upstream: {code: 'INTERNAL', durationMs: 99, late: true}}, 0],
  ['is not known to have done it', {code: 'DEADLINE_EXCEEDED'}, 0],
  ['did it, and the client was told something else', {code: 'INTERNAL', upstream: {code: 'OK', durationMs: 4, late: false}}, 1],
])('ledgerBook() has no late success, or one, where the server %s', (_, call, count) => {
  expect(ledgerOf(call).lateSuccesses).toHaveLength(count)
})

test('ledgerBook() keeps a thousand late successes and counts the others', () => {
  const book = ledgerBook()
  for (let id = 1; id <= 1003; id++) book.add(tracedCall({id, code: 'UNAVAILABLE', upstream: {code: 'OK', durationMs: 1, late: false}}))
  const {lateSuccesses, more} = book.ledger()
  expect([lateSuccesses.length, lateSuccesses[0]?.id, more]).toEqual([1000, 1, 3])
})
