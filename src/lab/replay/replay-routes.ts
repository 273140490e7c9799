// The services of one socket, as its recorded calls answer them.
import type {DescMethod, Message} from '@bufbuild/protobuf'
import {Code, ConnectError, type ConnectRouter, type HandlerContext} from '@connectrpc/connect'
import type {RecordedCall} from '../../node/recorded/recorded-call.ts'
import {redactedMessage} from '../../node/recorded/redacted-message.ts'
import {mark} from '../../node/redaction.ts'
import * as v1 from '../../wire/gen/cri_pb.ts'
import * as v1alpha2 from '../../wire/gen/cri-v1alpha2_pb.ts'
import {Controller, Identity, Node} from '../../wire/gen/csi_pb.ts'
import {Registration} from '../../wire/gen/registration_pb.ts'
import {type CallBook, callBook, isHeld} from './call-book.ts'
import {messageOf, messagesOf, notRecorded} from './kept-answers.ts'
import {readOnlyMethods} from './read-only.ts'
import {type Answer, type Derive, runtimeAnswers} from './runtime-answers.ts'

const runtime = [v1.RuntimeService, v1.ImageService, v1alpha2.RuntimeService, v1alpha2.ImageService]
const driver = [Identity, Node, Controller]

/** @param calls of this socket */
export function replayRoutes(calls: readonly RecordedCall[]): (router: ConnectRouter) => void {
  const book = callBook(calls)
  const services = new Set(calls.map(({service}) => service.split('.')[0]))
  const derived = runtimeAnswers(book)
  const served = [
    ...(services.has('runtime') ? runtime : []),
    ...(services.has('csi') ? driver : []),
    ...(services.has('pluginregistration') ? [Registration] : []),
  ]
  return (router) => {
    for (const {methods} of served) {
      for (const method of methods) {
        if (method.methodKind === 'unary')
          router.rpc(
            method as never,
            (async (request: Message, context: HandlerContext) => answered(book, derived, method, request, context)) as never,
          )
        // A runtime that does not stream does not know the method: its client then asks for the whole.
        else if (method.methodKind === 'server_streaming' && book.of(method.name).length > 0)
          router.rpc(method as never, ((request: Message, context: HandlerContext) => streamed(book, method, request, context)) as never)
      }
    }
  }
}

/** @throws ConnectError */
async function answered(
  book: CallBook,
  derived: Readonly<Record<string, Derive>>,
  method: DescMethod,
  request: Message,
  context: HandlerContext,
): Promise<Message> {
  if (!readOnlyMethods.has(method.name)) throw new ConnectError('a replay is read-only', Code.FailedPrecondition)
  const derive = derived[method.name]
  const answer: Answer = derive === undefined ? equal(book, method, request) : derive(request as never, method)
  if (answer === undefined) throw notRecorded()
  if ('message' in answer && typeof answer.message === 'object') return answer.message
  const call = answer as RecordedCall
  await held(call, context)
  return messageOf(method.output, call)
}

async function* streamed(book: CallBook, method: DescMethod, request: Message, context: HandlerContext): AsyncGenerator<Message> {
  const call = equal(book, method, request)
  if (call === undefined) throw notRecorded()
  await held(call, context)
  yield* messagesOf(method.output, call)
}

function equal(book: CallBook, {name, input}: DescMethod, request: Message): RecordedCall | undefined {
  return book.equal(
    name,
    redactedMessage(input, request, () => mark),
  )
}

async function held(call: RecordedCall, {signal}: HandlerContext): Promise<void> {
  if (!isHeld(call)) return
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), {once: true})
  })
}
