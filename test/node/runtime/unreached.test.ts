import {expect, test} from 'vitest'
import type {Probed} from '../../../src/node/endpoints/candidate.ts'
import {absent, failed, type Reading} from '../../../src/node/reading.ts'
import type {CallOutcome, RuntimeAnswers} from '../../../src/node/runtime/answers.ts'
import {answersOfNone} from '../../../src/node/runtime/unreached.ts'
import type {FailureKind} from '../../../src/wire/rpc-failure.ts'

const why = 'several could be meant'
const rejected = (kind: FailureKind | undefined, words = 'w'): Probed['outcome'] => ({state: 'rejected', why: words, ...(kind && {kind})})

function probed(outcome: Probed['outcome'], more: Partial<Probed> = {}): Probed {
  return {text: 't', endpoint: 'unix:///x.sock', source: 'kubelet (pid 812)', tier: 'kubelet', outcome, ...more}
}

function callOf(reading: Reading<RuntimeAnswers>): (string | CallOutcome)[] {
  return reading.state === 'read' ? reading.value.calls.flatMap(({method, outcome}) => [method, outcome]) : []
}

const answered: CallOutcome = {state: 'answered'}

test.each<[string, FailureKind, string, (string | CallOutcome)[]]>([
  ['nobody listens', 'refused', 'w', ['connect', {state: 'failed', kind: 'refused', code: 'UNAVAILABLE', why: 'w'}]],
  ['there is no socket', 'missing', 'w', ['connect', {state: 'failed', kind: 'missing', code: 'UNAVAILABLE', why: 'w'}]],
  ['the server says nothing', 'silent', '/x takes connections but has said nothing for 6s', ['connect', {state: 'silent', waitedMs: 6000}]],
  [
    'it says nothing for minutes',
    'silent',
    '/x takes connections but has said nothing for 2m 5s',
    ['connect', {state: 'silent', waitedMs: 125_000}],
  ],
  [
    'Version is not answered',
    'silent',
    'it has not answered Version for 10s',
    ['connect', answered, 'Version', {state: 'silent', waitedMs: 10_000}],
  ],
  [
    'it says nothing for nobody knows how long',
    'silent',
    'w',
    ['connect', {state: 'failed', kind: 'silent', code: 'DEADLINE_EXCEEDED', why: 'w'}],
  ],
  [
    'it serves no CRI',
    'no-service',
    'w',
    ['connect', answered, 'Version', {state: 'failed', kind: 'no-service', code: 'UNIMPLEMENTED', why: 'w'}],
  ],
  ['it starts', 'answered', 'w', ['connect', answered, 'Version', {state: 'failed', kind: 'answered', code: 'UNKNOWN', why: 'w'}]],
])('answersOfNone() tells how far it came where %s', (_what, kind, words, calls) => {
  expect(callOf(answersOfNone([probed(rejected(kind, words))], why))).toEqual(calls)
})

test.each<[string, readonly Probed[], Reading<unknown>]>([
  ['none is to be seen', [], absent('no container runtime is to be seen here')],
  ['a guess came to nothing', [probed(rejected('missing'), {guess: true})], absent('no container runtime is to be seen here')],
  ['the socket may not be opened', [probed(rejected('forbidden'))], failed(why, undefined, 'denied')],
  ['two are meant', [probed(rejected('refused')), probed(rejected('refused'), {endpoint: 'unix:///y.sock'})], failed(why)],
  [
    'two answer',
    [probed({state: 'answers', runtime: {name: 'n', version: 'v', api: 'v1'}})],
    absent('no container runtime is to be seen here'),
  ],
  ['what is named is no address', [probed(rejected(undefined))], failed(why)],
])('answersOfNone() has no answers where %s', (_what, candidates, expected) => {
  expect(answersOfNone(candidates, why)).toEqual(expected)
})

test.each<[string, readonly Probed[], boolean, string]>([
  ['the kubelet', [probed(rejected('refused'))], true, 'kubelet (pid 812)'],
  [
    'a usual place',
    [probed(rejected('refused'), {tier: 'usual', source: 'the usual place of containerd'})],
    false,
    'the usual place of containerd',
  ],
  [
    'the kubelet, and there is something in a usual place',
    [probed(rejected('refused'), {tier: 'usual', source: 'the usual place of CRI-O'}), probed(rejected('missing'))],
    true,
    'kubelet (pid 812)',
  ],
])('answersOfNone() tells who names it: %s', (_what, candidates, told, source) => {
  expect(answersOfNone(candidates, why)).toMatchObject({value: {told, source, endpoint: 'unix:///x.sock', conditions: []}})
})
