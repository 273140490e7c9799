// The calls of a recording that `record` made, as rules see them: names are learnt from its messages, as the proxy does.
import {type DescMessage, fromJson, type JsonValue, type MessageShape, toBinary} from '@bufbuild/protobuf'
import {parseRecordedCall} from '../../node/recorded/recording.ts'
import {calledMethod} from '../call/call-head.ts'
import {describeCall, describeHead} from '../call/describe/describe-call.ts'
import {type KnownMethod, knownMethod} from '../call/known-methods.ts'
import {learnFromAnswer, learnFromRequest} from '../call/names/learn.ts'
import {nameIndex} from '../call/names/name-index.ts'
import type {RecordedCall} from './recorded-calls.ts'

/** In the order in which they came. Lines that are no calls are left out, as `replay` does. @param lines all but the head */
export function messagesRecorded(lines: readonly unknown[]): readonly RecordedCall[] {
  const calls = lines
    .flatMap((line) => parseRecordedCall(line) ?? [])
    .sort((one, other) => one.at - other.at)
    .map((call) => {
      const known = knownMethod(`/${call.service}/${call.method}`)
      return {...call, known, message: known && messageOf(known.input, call.request)}
    })
  const names = nameIndex()
  for (const {known, message, responses = []} of calls) {
    if (known === undefined || message === undefined) continue
    learnFromRequest(message, names)
    for (const answer of responses) learnFromAnswer(known.called.method, bytesOf(known, answer), names, message)
  }
  return calls.map(({at, service, method, known, message}) =>
    known === undefined || message === undefined
      ? {at, decoded: false, call: describeHead(calledMethod(`/${service}/${method}`))}
      : {at, decoded: true, call: describeCall(known.called, known, message, names)},
  )
}

function messageOf<Desc extends DescMessage>(desc: Desc, json: JsonValue | undefined): MessageShape<Desc> | undefined {
  if (json === undefined) return undefined
  try {
    return fromJson(desc, json, {ignoreUnknownFields: true})
  } catch {
    return undefined
  }
}

function bytesOf({output}: KnownMethod, json: JsonValue): Uint8Array {
  const message = messageOf(output, json)
  return message === undefined ? new Uint8Array() : toBinary(output, message)
}
