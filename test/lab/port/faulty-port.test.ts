import {expect, test} from 'vitest'
import {type SimulatedClock, simulatedClock} from '../../../src/base/simulated-clock.ts'
import {delay} from '../../../src/faults/delay.ts'
import {dropReply} from '../../../src/faults/drop-reply.ts'
import {duplicate} from '../../../src/faults/duplicate.ts'
import {execThenError} from '../../../src/faults/exec-then-error.ts'
import {fail} from '../../../src/faults/fail.ts'
import {fakeSuccess} from '../../../src/faults/fake-success.ts'
import type {Fault} from '../../../src/faults/fault.ts'
import {faultOf} from '../../../src/faults/faults.ts'
import {hang} from '../../../src/faults/hang.ts'
import {hold} from '../../../src/faults/hold.ts'
import {listEdit, staleList} from '../../../src/faults/list-edit.ts'
import {loseReply} from '../../../src/faults/lose-reply.ts'
import {reorder} from '../../../src/faults/reorder.ts'
import {reset} from '../../../src/faults/reset.ts'
import {rewrite} from '../../../src/faults/rewrite.ts'
import {CallFailure, type Methods} from '../../../src/kubelet/port.ts'
import {deadlines} from '../../../src/lab/port/deadlines.ts'
import {faultyPort} from '../../../src/lab/port/faulty-port.ts'
import {ruleBook} from '../../../src/lab/port/rule-book.ts'
import type {Caller} from '../../../src/lab/port/server.ts'
import {timeline} from '../../../src/timeline/timeline.ts'
import {outcomeWithin} from '../../support/simulated-run.ts'

interface Tiny extends Methods {
  Work: {request: {ms: number}; response: string}
  Refuse: {request: {ms: number}; response: string}
}

/** A server that works for so long and heeds that its caller is gone; with what it began and finished. */
function tiny(fault?: Fault, limit = 1) {
  const clock = simulatedClock(0)
  const events = timeline(clock.now)
  const done: string[] = []
  const work = async ({ms}: {ms: number}, caller: Caller) => {
    done.push(`begun ${clock.now()}`)
    await clock.sleep(ms)
    done.push(`${caller.gone ? 'left' : 'finished'} ${clock.now()}`)
    return 'answer'
  }
  const server = {
    Work: work,
    Refuse: async (request: {ms: number}, caller: Caller) => {
      await work(request, caller)
      throw new CallFailure('NOT_FOUND', 'no such thing')
    },
  }
  const rules = ruleBook(fault === undefined ? [] : [{name: 'f', match: {to: 'cri', method: 'Work'}, limit, fault}])
  const describe = (method: string, request: object) => ({to: 'cri' as const, method, pod: 'default/a', request: {...request}})
  return {clock, events, done, port: faultyPort<Tiny>(server, {clock, timeline: events, rules, deadlines: deadlines(clock), describe})}
}

test.each<[string, Fault | undefined, unknown, number, string[]]>([
  ['no fault', undefined, 'answer', 40, ['begun 0', 'finished 40']],
  ['fail', fail('INTERNAL'), 'INTERNAL', 0, []],
  ['delay', delay(30), 'answer', 70, ['begun 30', 'finished 70']],
  ['delay beyond the deadline', delay(150), 'DEADLINE_EXCEEDED', 100, []],
  ['hang', hang(), 'DEADLINE_EXCEEDED', 100, []],
  ['lose-reply', loseReply(), 'DEADLINE_EXCEEDED', 100, ['begun 0', 'finished 40']],
  ['hold', hold(50), 'answer', 90, ['begun 0', 'finished 40']],
  ['hold beyond the deadline', hold(500), 'DEADLINE_EXCEEDED', 100, ['begun 0', 'finished 40']],
  ['exec-then-error', execThenError('ABORTED'), 'ABORTED', 40, ['begun 0', 'finished 40']],
  ['fake-success', fakeSuccess('made up'), 'made up', 0, []],
  ['duplicate', duplicate(), 'answer', 40, ['begun 0', 'begun 0', 'finished 40', 'finished 40']],
  ['reset', reset(), 'UNAVAILABLE', 40, ['begun 0', 'finished 40']],
  ['drop-reply', dropReply(), 'UNAVAILABLE', 40, ['begun 0', 'finished 40']],
  ['delay before and after', delay(10, 20), 'answer', 70, ['begun 10', 'finished 50']],
  ['delay before and after, of which the first is beyond the deadline', delay(110, 20), 'DEADLINE_EXCEEDED', 100, []],
  ['rewrite of the request', rewrite({request: {ms: 50}}), 'answer', 50, ['begun 0', 'finished 50']],
  ['rewrite of a field that there is not', rewrite({reply: {'a.b': 1}}), 'answer', 40, ['begun 0', 'finished 40']],
])('faultyPort() carries out %s', async (_, fault, value, ms, done) => {
  const {clock, events, done: did, port} = tiny(fault)
  expect(await outcomeWithin(clock, 1000, () => port.call('Work', {ms: 40}, {timeoutMs: 100}))).toEqual({value, ms})
  expect(did).toEqual(done)
  const outcome = typeof value === 'string' && /^[A-Z_]+$/.test(value) ? value : 'OK'
  const told = {kind: 'call', at: 0, id: 1, to: 'cri', method: 'Work', pod: 'default/a', request: {ms: 40}, outcome, endedAt: ms}
  const once = fault === undefined ? told : {...told, fault: 'f'}
  // What the server gets twice is two calls of the timeline.
  expect(events.events).toEqual(fault?.kind === 'duplicate' ? [once, {...once, id: 2}] : [once])
})

test.each<[string, Fault | undefined, string]>([
  ['sees its caller gone when the deadline passes', undefined, 'left 140'],
  ['works on when the deadline is stripped', loseReply(), 'finished 140'],
  ['works on when the answer is held', hold(10), 'finished 140'],
])('faultyPort(): the server %s', async (_, fault, last) => {
  const {clock, done, port} = tiny(fault)
  expect(await outcomeWithin(clock, 1000, () => port.call('Work', {ms: 140}, {timeoutMs: 100}))).toEqual({
    value: 'DEADLINE_EXCEEDED',
    ms: 100,
  })
  expect(done).toEqual(['begun 0', last])
})

test.each<[string, Fault | undefined]>([
  ['passes on', undefined],
  ['holds', hold(10)],
])('faultyPort() %s what the server refuses', async (_, fault) => {
  const {clock, events, port} = tiny(fault)
  const outcome = await outcomeWithin(clock, 1000, () => port.call('Refuse', {ms: 40}, {timeoutMs: 100}))
  expect(outcome).toEqual({value: 'NOT_FOUND', ms: 40})
  expect(events.events).toMatchObject([{outcome: 'NOT_FOUND', endedAt: 40}])
})

test('faultyPort() records a call at once, before it ends', async () => {
  const {clock, events, port} = tiny()
  void port.call('Work', {ms: 40}, {timeoutMs: 100})
  expect(events.events).toEqual([{kind: 'call', at: 0, id: 1, to: 'cri', method: 'Work', pod: 'default/a', request: {ms: 40}}])
  await clock.run(50)
  expect(events.events).toMatchObject([{outcome: 'OK'}])
})

const cancelAt = (clock: SimulatedClock, ms: number): AbortSignal => {
  const controller = new AbortController()
  void clock.sleep(ms).then(() => controller.abort())
  return controller.signal
}

test('faultyPort() rejects with the signal, and the server sees its caller gone', async () => {
  const {clock, done, port} = tiny()
  const signal = cancelAt(clock, 30)
  expect(await outcomeWithin(clock, 1000, () => port.call('Work', {ms: 40}, {timeoutMs: 100, signal}))).toEqual({
    value: 'CANCELLED',
    ms: 30,
  })
  expect(done).toEqual(['begun 0', 'left 40'])
})

test('faultyPort() makes no call for a signal that was aborted before', async () => {
  const {clock, events, port} = tiny()
  const call = () => port.call('Work', {ms: 40}, {timeoutMs: 100, signal: AbortSignal.abort()})
  expect(await outcomeWithin(clock, 1000, call)).toEqual({value: 'CANCELLED', ms: 0})
  expect(events.events).toEqual([])
})

test('faultyPort() wakes a server that waits on the signal of its caller', async () => {
  const clock = simulatedClock(0)
  const events = timeline(clock.now)
  const done: unknown[] = []
  const server = {
    Work: (_: object, {signal}: Caller) =>
      clock.sleep(Number.POSITIVE_INFINITY, signal).catch((reason) => done.push([clock.now(), reason.code])),
  }
  const describe = (method: string) => ({to: 'cri' as const, method, request: {}})
  const port = faultyPort(server as never, {clock, timeline: events, rules: ruleBook(), deadlines: deadlines(clock), describe})
  await outcomeWithin(clock, 1000, () => port.call('Work', {}, {timeoutMs: 100}))
  expect(done).toEqual([[100, 'DEADLINE_EXCEEDED']])
})

test('faultyPort() answers UNIMPLEMENTED to a method that the server does not have', async () => {
  const {clock, port} = tiny()
  const call = () => port.call('Vanish', {}, {timeoutMs: 100})
  expect(await outcomeWithin(clock, 10, call)).toEqual({value: 'UNIMPLEMENTED', ms: 0})
})

test('faultyPort() ends each of many calls at its own deadline', async () => {
  const {clock, events, port} = tiny(hang(), 1000)
  for (let index = 0; index < 50; index++) {
    for (const timeoutMs of [100, 250]) port.call('Work', {ms: 40}, {timeoutMs}).catch(() => {})
    await clock.run(clock.now() + 7)
  }
  await clock.run(10_000)
  const waits = events.events.map((event) => (event.kind === 'call' ? (event.endedAt ?? 0) - event.at : 0))
  expect(waits).toEqual(Array.from({length: 100}, (_, index) => (index % 2 === 0 ? 100 : 250)))
})

interface Lister extends Methods {
  List: {request: {of: string}; response: readonly {readonly id: number}[]}
}

/** It lists one thing more each time. */
function lister(fault: Fault) {
  const clock = simulatedClock(0)
  let many = 0
  const server = {List: () => Array.from({length: ++many}, (_, id) => ({id}))}
  const describe = (method: string, request: object) => ({to: 'cri' as const, method, request: {...request}})
  const rules = ruleBook([{name: 'f', match: {}, fault}])
  const port = faultyPort<Lister>(server, {clock, timeline: timeline(clock.now), rules, deadlines: deadlines(clock), describe})
  return (of: string) => port.call('List', {of}, {timeoutMs: 100})
}

test('faultyPort() edits the list that is answered', async () => {
  const list = lister(listEdit('', {drop: {id: 0}, phantom: {id: 9}}))
  expect([await list('a'), await list('a')]).toEqual([[{id: 9}], [{id: 1}, {id: 9}]])
})

test('faultyPort() answers of a stale list what the same request was answered before', async () => {
  const list = lister(staleList())
  const lengths: number[] = []
  for (const of of ['a', 'a', 'b', 'a']) lengths.push((await list(of)).length)
  expect(lengths).toEqual([1, 1, 3, 2])
})

test('faultyPort() answers the first of two when the second has been answered', async () => {
  const {clock, port} = tiny(reorder(), 4)
  const order: string[] = []
  const call = (name: string, ms: number) =>
    void port.call('Work', {ms}, {timeoutMs: 100}).then(
      () => order.push(`${name} ${clock.now()}`),
      (error) => order.push(`${name} ${error.code} ${clock.now()}`),
    )
  call('first', 10)
  await clock.run(20)
  call('second', 30)
  await clock.run(60)
  expect(order).toEqual(['second 50', 'first 50'])
  call('third', 10)
  await clock.run(200)
  expect(order.slice(2)).toEqual(['third DEADLINE_EXCEEDED 160'])
  // It has left: the next is the first of two again.
  call('fourth', 10)
  await clock.run(400)
  expect(order.slice(3)).toEqual(['fourth DEADLINE_EXCEEDED 300'])
})

test.each<[string, Fault]>([
  ['a socket', faultOf('refuse')],
  ['bytes', faultOf('throttle', {bytesPerSecond: 1})],
  ['the size of a message', faultOf('pad', {bytes: 1})],
  ['a stream', faultOf('stream-stall', {after: 1})],
])('ruleBook() refuses a rule about %s', (_, fault) => {
  const rule = {name: 'f', match: {}, fault}
  const message = `Cannot use the rule 'f' in the lab as its fault must be one of calls and their answers: it is '${fault.kind}'`
  expect(() => ruleBook([rule])).toThrow(message)
  expect(() => ruleBook().add(rule)).toThrow(message)
})
