import fc from 'fast-check'
import {expect, test} from 'vitest'
import {decoders} from '../../../src/node/bundle/decode.ts'
import {encoders} from '../../../src/node/bundle/encode.ts'
import {read} from '../../../src/node/reading.ts'
import {type CallOutcome, type RuntimeAnswers, runtimeMethods} from '../../../src/node/runtime/answers.ts'
import type {FailureKind, RpcCode} from '../../../src/wire/rpc-failure.ts'
import {answering} from '../../support/runtime-looks.ts'

// Each of its kind, so that one that the reader does not know is not left out.
const kinds: Readonly<Record<FailureKind, true>> = {
  missing: true,
  refused: true,
  forbidden: true,
  'not-a-socket': true,
  silent: true,
  'not-grpc': true,
  'no-service': true,
  'too-large': true,
  lost: true,
  answered: true,
}
const codes: Readonly<Record<RpcCode, true>> = {
  CANCELLED: true,
  UNKNOWN: true,
  INVALID_ARGUMENT: true,
  DEADLINE_EXCEEDED: true,
  NOT_FOUND: true,
  ALREADY_EXISTS: true,
  PERMISSION_DENIED: true,
  RESOURCE_EXHAUSTED: true,
  FAILED_PRECONDITION: true,
  ABORTED: true,
  OUT_OF_RANGE: true,
  UNIMPLEMENTED: true,
  INTERNAL: true,
  UNAVAILABLE: true,
  DATA_LOSS: true,
  UNAUTHENTICATED: true,
}

const keysOf = <K extends string>(all: Readonly<Record<K, true>>) => fc.constantFrom(...(Object.keys(all) as K[]))
const outcome: fc.Arbitrary<CallOutcome> = fc.oneof(
  fc.record({state: fc.constant('answered' as const), tookMs: fc.nat()}, {requiredKeys: ['state']}),
  fc.record({state: fc.constant('silent' as const), waitedMs: fc.nat()}),
  fc.record({state: fc.constant('failed' as const), kind: keysOf(kinds), code: keysOf(codes), why: fc.string()}),
)
const answers: fc.Arbitrary<RuntimeAnswers> = fc.record(
  {
    endpoint: fc.string(),
    source: fc.string(),
    told: fc.boolean(),
    name: fc.string(),
    version: fc.string(),
    calls: fc.array(fc.record({method: fc.constantFrom(...runtimeMethods), outcome})),
    conditions: fc.array(fc.record({type: fc.string(), status: fc.boolean(), reason: fc.string(), message: fc.string()})),
  },
  {requiredKeys: ['endpoint', 'source', 'told', 'calls', 'conditions']},
)

const again = (text: string) => decoders['runtime.answers'](text, {when: 0})

test('what is written of the answers is read again as it was', () => {
  fc.assert(
    fc.property(answers, (each) => {
      expect(again(encoders['runtime.answers'].text(read(each)) ?? '')).toEqual(read(each))
    }),
  )
})

test.each<[string, unknown]>([
  ['a list', []],
  ['a method that nobody asks', {...answering(), calls: [{method: 'Exec', outcome: {state: 'answered'}}]}],
  [
    'a kind of failure that there is not',
    {...answering(), calls: [{method: 'Status', outcome: {state: 'failed', kind: 'odd', code: 'UNKNOWN', why: ''}}]},
  ],
  ['silence without its time', {...answering(), calls: [{method: 'Status', outcome: {state: 'silent'}}]}],
  ['no endpoint', {...answering(), endpoint: undefined}],
])('%s is refused, in one sentence', (_what, value) => {
  expect(() => again(JSON.stringify(value))).toThrow(/^Cannot read it as it must be a record of another shape: .+/)
})
