// Whether the runtime answered, as a file of a bundle.
import * as v from 'valibot'
import {rpcCodes} from '../../wire/rpc-failure.ts'
import {type RuntimeAnswers, runtimeMethods} from '../runtime/answers.ts'

const kinds = [
  'missing',
  'refused',
  'forbidden',
  'not-a-socket',
  'silent',
  'not-grpc',
  'no-service',
  'too-large',
  'lost',
  'answered',
] as const

export const callOutcome = v.variant('state', [
  v.object({state: v.literal('answered'), tookMs: v.exactOptional(v.number())}),
  v.object({state: v.literal('silent'), waitedMs: v.number()}),
  v.object({state: v.literal('failed'), kind: v.picklist(kinds), code: v.picklist(rpcCodes), why: v.string()}),
])

const answers = v.object({
  endpoint: v.string(),
  source: v.string(),
  told: v.boolean(),
  name: v.exactOptional(v.string()),
  version: v.exactOptional(v.string()),
  calls: v.array(v.object({method: v.picklist(runtimeMethods), outcome: callOutcome})),
  conditions: v.array(v.object({type: v.string(), status: v.boolean(), reason: v.string(), message: v.string()})),
})

/** @throws Error, one sentence, when it is of another shape. */
export function parseRuntimeAnswers(value: unknown): RuntimeAnswers {
  const result = v.safeParse(answers, value)
  if (result.success) return result.output
  throw new Error(`Cannot read it as it must be a record of another shape: ${result.issues[0].message}`)
}
