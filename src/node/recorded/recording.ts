// A recording as lines of JSON: a head, then the calls in the order in which they ended. What is torn, or newer than we are, is left out and counted.
import type {JsonValue} from '@bufbuild/protobuf'
import * as v from 'valibot'
import {UserError} from '../../base/errors.ts'
import type {RecordedCall, RecordingHead} from './recorded-call.ts'

export interface Recording {
  readonly head: RecordingHead
  readonly calls: readonly RecordedCall[]
  /** How many lines were neither. */
  readonly skipped: number
}

const text = v.string()
const milliseconds = v.pipe(v.number(), v.finite())
const json = v.custom<JsonValue>((value) => value !== undefined)

const headSchema = v.object({
  apiVersion: v.literal('kubelimbo/v1'),
  kind: v.literal('Recording'),
  metadata: v.object({node: text, when: text, tool: text}),
})

const callSchema = v.object({
  socket: v.pipe(text, v.minLength(1)),
  at: milliseconds,
  service: text,
  method: text,
  timeoutMs: v.exactOptional(milliseconds),
  durationMs: milliseconds,
  code: text,
  message: v.exactOptional(text),
  request: v.exactOptional(json),
  responses: v.exactOptional(v.array(json)),
  unkept: v.exactOptional(text),
  rule: v.exactOptional(text),
  fault: v.exactOptional(text),
})

/** @throws UserError when it is no recording at all. @param file for messages */
export async function readRecording(lines: AsyncIterable<string> | Iterable<string>, file: string): Promise<Recording> {
  let head: RecordingHead | undefined
  const calls: RecordedCall[] = []
  let skipped = 0
  for await (const line of lines) {
    if (line.trim() === '') continue
    const value = jsonOf(line)
    if (head === undefined) {
      head = parsed<RecordingHead>(headSchema, value)
      if (head === undefined) throw noRecording(value, file)
      continue
    }
    const call = parseRecordedCall(value)
    if (call === undefined) skipped++
    else calls.push(call)
  }
  if (head === undefined) throw noRecording(undefined, file)
  return {head, calls, skipped}
}

/** Undefined when it is none. */
export function parseRecordedCall(value: unknown): RecordedCall | undefined {
  return parsed<RecordedCall>(callSchema, value)
}

export function recordingLine(value: RecordingHead | RecordedCall): string {
  return `${JSON.stringify(value)}\n`
}

function noRecording(first: unknown, file: string): UserError {
  const version = v.safeParse(v.object({apiVersion: text, kind: v.literal('Recording')}), first)
  const is = !version.success
    ? 'it is not'
    : version.output.apiVersion === 'kubelimbo/v1'
      ? 'it is one, and damaged'
      : `it is one of '${version.output.apiVersion.slice(0, 40)}', which is newer than this kubelimbo`
  return new UserError(`Cannot read ${file} as its first line must be the head of a recording: ${is}`, {
    hint: '`kubelimbo record FILE` makes one',
  })
}

function parsed<T>(schema: v.GenericSchema<unknown, T>, value: unknown): T | undefined {
  const result = v.safeParse(schema, value)
  return result.success ? result.output : undefined
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
