// The calls of a proxy, as `trace -o jsonl` prints them or `record` keeps them, for rules that are to be tried on them.
import * as v from 'valibot'
import {UserError} from '../../base/errors.ts'
import type {MatchedCall} from '../../faults/rule.ts'
import {calledMethod} from '../call/call-head.ts'
import {messagesRecorded} from './messages-recorded.ts'

export interface RecordedCall {
  readonly at: number
  readonly call: MatchedCall
  /** Its request was read: what the recording lacks of it was not there. */
  readonly decoded: boolean
}

/** What rules can go by. */
const lineSchema = v.object({
  id: v.number(),
  at: v.number(),
  service: v.string(),
  method: v.string(),
  update: v.exactOptional(v.literal(true)),
  pod: v.exactOptional(v.string()),
  podUid: v.exactOptional(v.string()),
  container: v.exactOptional(v.string()),
  pvc: v.exactOptional(v.string()),
  request: v.exactOptional(v.record(v.string(), v.unknown())),
})

/** In the order in which they came, each once. @param file for messages @throws UserError */
export function recordedCalls(text: string, file: string): readonly RecordedCall[] {
  const lines = text.split('\n')
  const first = lines.findIndex((line) => line.trim() !== '')
  if (first === -1)
    throw new UserError(`Cannot use ${file} as it must have calls: it is empty`, {
      hint: '`kubelimbo trace -o jsonl` prints such a file, `kubelimbo record FILE` writes one',
    })
  if (v.is(recordingSchema, jsonOf(lines[first] ?? ''))) return messagesRecorded(lines.slice(first + 1).map(jsonOf))
  return lines
    .flatMap((line, index) => (line.trim() === '' ? [] : lineOf(line, `${file}:${index + 1}`)))
    .filter(({update}) => update === undefined)
    .sort((one, other) => one.id - other.id)
    .map(({at, service, method, pod, podUid, container, pvc, request}) => ({
      at,
      decoded: (request ?? pod ?? podUid ?? container ?? pvc) !== undefined,
      call: {
        ...calledMethod(`/${service}/${method}`),
        ...(pod === undefined ? {} : {pod}),
        ...(podUid === undefined ? {} : {podUid}),
        ...(container === undefined ? {} : {container}),
        ...(pvc === undefined ? {} : {pvc}),
        request: request ?? {},
      },
    }))
}

function lineOf(line: string, where: string): readonly v.InferOutput<typeof lineSchema>[] {
  const value = jsonOf(line)
  const result = v.safeParse(lineSchema, value)
  if (result.success) return [result.output]
  // What --ledger adds at the end.
  if (v.is(ledgerSchema, value)) return []
  throw new UserError(`Cannot read the recording as each line must be a call as JSON: it is '${line.slice(0, 40)}' (${where})`, {
    hint: '`kubelimbo trace -o jsonl > FILE` makes one, and `kubelimbo record FILE`',
  })
}

const recordingSchema = v.object({apiVersion: v.literal('kubelimbo/v1'), kind: v.literal('Recording')})
const ledgerSchema = v.object({kind: v.literal('Ledger')})

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
