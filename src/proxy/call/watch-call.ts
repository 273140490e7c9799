// A call that passes, for the trace and for names. What it keeps of its bytes it reads when the call is over.
import type {Message} from '@bufbuild/protobuf'
import {fieldValue, type HeaderField} from '../../http2/header-field.ts'
import type {CallEnding, CallWatcher} from '../relay/handling.ts'
import {codeOfReset} from './answer/failure-code.ts'
import type {CallAtHand} from './call-at-hand.ts'
import {describeCall} from './describe/describe-call.ts'
import type {CallHandlerOptions} from './handler-options.ts'
import {Capture} from './message/capture.ts'
import {codeOfHttp, statusIn} from './message/status-fields.ts'
import {answerCaptureOf, firstMessage, learn, mostOfRequest} from './names/captured-names.ts'

export function watchCall(
  {head, called, known, record, decodes}: CallAtHand,
  {names, underWay}: Pick<CallHandlerOptions, 'names' | 'underWay'>,
): CallWatcher {
  const request = decodes ? new Capture(mostOfRequest, head.fields) : undefined
  const answer = decodes ? answerCaptureOf(called.method) : undefined
  let first: readonly HeaderField[] = []
  record.reached = true
  underWay.server++
  return {
    requestData: (bytes) => {
      record.requestData(bytes)
      request?.push(bytes)
    },
    responseHeaders: (fields) => {
      first = fields
      record.responseHeaders(fields)
      answer?.headers(fields)
    },
    responseData: (bytes) => {
      record.responseData(bytes)
      answer?.push(bytes)
    },
    ended: (ending) => {
      underWay.server--
      let message: Message | undefined
      if (known !== undefined && request !== undefined) {
        message = firstMessage(known.input, request)
        if (message !== undefined) record.matched = describeCall(called, known, message, names)
      }
      const status = end(ending, first)
      if (decodes) learn(called.method, message, status?.code === 'OK' ? answer : undefined, names)
    },
  }

  function end(ending: CallEnding, fields: readonly HeaderField[]) {
    if (ending.kind === 'lost') return void (ending.side === 'client' ? record.clientLeft() : record.clientDone('UNAVAILABLE'))
    if (ending.kind === 'reset') {
      if (ending.by === 'client') record.clientLeft()
      else record.clientDone(codeOfReset(ending.code))
      return undefined
    }
    const status = statusIn(ending.trailers) ?? statusIn(fields) ?? {code: codeOfHttp(fieldValue(fields, ':status')), message: ''}
    record.heard = true
    record.clientDone(status.code, status.message)
    return status
  }
}
