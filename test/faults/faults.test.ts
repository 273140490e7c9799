import {readdirSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {explain} from '../../src/faults/explain.ts'
import {type FaultParameters, faultOf, faults} from '../../src/faults/faults.ts'
import {passed} from '../../src/faults/plan.ts'

const forever = Number.POSITIVE_INFINITY
const ran = (reply: object) => ({before: 0, forward: 1, upstreamDeadline: 'keep', reply})
const refused = {kind: 'replace', with: {code: 'INTERNAL', message: 'no'}}

test.each<[string, FaultParameters, object, string]>([
  [
    'fail',
    {code: 'INTERNAL', message: 'no'},
    {before: 0, forward: 0, upstreamDeadline: 'keep', reply: refused},
    'do not run it and answer INTERNAL',
  ],
  [
    'delay',
    {ms: 300},
    {before: 300, forward: 1, upstreamDeadline: 'keep', reply: {kind: 'pass'}},
    'wait 300 ms, then run it and pass on its answer',
  ],
  [
    'hang',
    {},
    {before: forever, forward: 0, upstreamDeadline: 'keep', reply: {kind: 'hold', ms: forever}},
    'do not run it and never answer',
  ],
  [
    'lose-reply',
    {},
    {before: 0, forward: 1, upstreamDeadline: 'strip', reply: {kind: 'hold', ms: forever}},
    'run it, whatever its deadline, and never answer',
  ],
  [
    'hold',
    {ms: 500},
    {before: 0, forward: 1, upstreamDeadline: 'strip', reply: {kind: 'hold', ms: 500}},
    'run it, whatever its deadline, and answer 500 ms late',
  ],
  [
    'exec-then-error',
    {code: 'INTERNAL', message: 'no'},
    {before: 0, forward: 1, upstreamDeadline: 'strip', reply: refused},
    'run it, whatever its deadline, and answer INTERNAL',
  ],
  [
    'fake-success',
    {},
    {before: 0, forward: 0, upstreamDeadline: 'keep', reply: {kind: 'replace', with: {response: {}}}},
    'do not run it and answer OK',
  ],
  ['duplicate', {}, {before: 0, forward: 2, upstreamDeadline: 'keep', reply: {kind: 'pass'}}, 'run it twice and pass on its answer'],
  [
    'reset',
    {},
    {before: 0, forward: 1, upstreamDeadline: 'strip', reply: {kind: 'reset'}},
    'run it, whatever its deadline, and break the connection',
  ],
  [
    'drop-reply',
    {},
    {before: 0, forward: 1, upstreamDeadline: 'strip', reply: {kind: 'reset', scope: 'stream'}},
    'run it, whatever its deadline, and break its stream',
  ],
  [
    'delay',
    {before: 5, after: 0},
    {before: 5, forward: 1, upstreamDeadline: 'strip', reply: {kind: 'hold', ms: 0}},
    'wait 5 ms, then run it, whatever its deadline, and answer 0 ms late',
  ],
  [
    'error',
    {code: 'INTERNAL', message: 'no', details: [{type: 'google.rpc.ErrorInfo', value: ''}]},
    {
      before: 0,
      forward: 0,
      upstreamDeadline: 'keep',
      reply: {kind: 'replace', with: {...refused.with, details: [{type: 'google.rpc.ErrorInfo', value: ''}]}},
    },
    'do not run it and answer INTERNAL with the details google.rpc.ErrorInfo',
  ],
  [
    'throttle',
    {bytesPerSecond: 100},
    ran({kind: 'throttle', bytesPerSecond: 100}),
    'run it and pass on its answer at 100 bytes per second',
  ],
  ['reorder', {}, ran({kind: 'swap'}), 'run it and answer the first of each two when the second has been answered'],
  [
    'rewrite',
    {reply: {'status.exitCode': 0}},
    ran({kind: 'edit', edits: [{kind: 'set', path: 'status.exitCode', value: 0}]}),
    'run it and pass on its answer with status.exitCode set to 0 (the answer must be there as a whole)',
  ],
  [
    'rewrite',
    {request: {timeout: '2'}},
    {...ran({kind: 'pass'}), request: [{kind: 'set', path: 'timeout', value: '2'}]},
    'run it with timeout set to 2 and pass on its answer (the request must be there as a whole)',
  ],
  [
    'list-edit',
    {list: 'items', drop: {id: 'a b'}, duplicate: {}, phantom: {}},
    ran({
      kind: 'edit',
      edits: [
        {kind: 'drop', list: 'items', where: {id: 'a b'}},
        {kind: 'duplicate', list: 'items'},
        {kind: 'phantom', list: 'items', entry: {}},
      ],
    }),
    'run it and pass on its answer with no items that have id "a b" and all items twice and one more of items, like the first (the answer must be there as a whole)',
  ],
  [
    'list-edit',
    {stale: true},
    ran({kind: 'stale'}),
    'run it and answer what the same request was answered before (both must be there as a whole)',
  ],
  [
    'pad',
    {bytes: 9},
    ran({kind: 'edit', edits: [{kind: 'pad', bytes: 9}]}),
    'run it and pass on its answer with padding up to 9 bytes (the answer must be there as a whole)',
  ],
  ['stream-cut', {after: 1}, ran({kind: 'cut', after: 1}), 'run it and end its stream after 1 message as if that were all'],
  [
    'stream-cut',
    {after: 2, code: 'UNAVAILABLE'},
    ran({kind: 'cut', after: 2, code: 'UNAVAILABLE'}),
    'run it and end its stream after 2 messages with UNAVAILABLE',
  ],
  [
    'stream-stall',
    {after: 0},
    ran({kind: 'stall', after: 0}),
    'run it and pass on 0 messages of its stream, then nothing, and leave it open',
  ],
])('faultOf() builds the plan of %s, and explain() says it', (kind, parameters, plan, words) => {
  const fault = faultOf(kind, parameters)
  expect(fault).toEqual({kind, plan})
  expect(explain({name: 'r', match: {to: 'cri', method: 'StopContainer'}, fault})).toBe(`every StopContainer: ${words}`)
})

test.each<[string, string, FaultParameters, RegExp]>([
  [
    'a kind that there is not',
    'vanish',
    {},
    /^Cannot use the fault as its kind must be one of refuse, .*hang-call, .*register-lost: it is 'vanish'$/,
  ],
  ['a parameter that is missing', 'hold', {}, /^Cannot use the fault 'hold' as it must have 'ms': it has none$/],
  ['parameters that are all missing', 'delay', {}, /^Cannot use the fault 'delay' as it must have one of before, after, ms: it has none$/],
  ['a parameter that it does not take', 'hang', {ms: 1}, /^Cannot use the fault 'hang' as it takes nothing: it has 'ms'$/],
])('faultOf() refuses %s', (_, kind, parameters, message) => {
  expect(() => faultOf(kind, parameters)).toThrow(message)
})

test.each(faults.flatMap(({kind, also}) => (also === undefined ? [] : [[kind, also] as const])))(
  'faultOf() builds the same for %s and %s, each under its name',
  (kind, also) => {
    expect(faultOf(kind, kind === 'error' ? {code: 'INTERNAL'} : {})).toEqual({
      ...faultOf(also, kind === 'error' ? {code: 'INTERNAL'} : {}),
      kind,
    })
  },
)

test.each(['refuse', 'no-socket', 'accept-silent'] as const)('faultOf() builds of %s a fault of the socket', (kind) => {
  expect(faultOf(kind)).toEqual({kind, plan: passed, socket: kind})
})

test('faultOf() builds of register-lost a fault that needs a socket of our own', () => {
  expect(faultOf('register-lost')).toMatchObject({onlyWith: 'listen', plan: {forward: 0, reply: {with: {response: {}}}}})
})

test('faults has each fault that has a file', () => {
  const others = ['apply-edits', 'decide', 'draws', 'edit', 'explain', 'fault', 'faults', 'flags', 'plan', 'rule', 'whole-messages']
  const files = readdirSync(join(import.meta.dirname, '../../src/faults'))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => name.replace(/\.ts$/, ''))
  const named = faults.map(({kind, also}) => (files.includes(kind) ? kind : also))
  expect(named.sort()).toEqual(files.filter((name) => !others.includes(name)).sort())
})
