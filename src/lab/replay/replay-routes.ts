// The services of one socket, as its recorded calls answer them.
import {create, type DescMessage, type DescMethod, type Message} from '@bufbuild/protobuf'
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
import {inParts, streamedLists, withListsOfStreams} from './streamed-lists.ts'

const runtime = [v1.RuntimeService, v1.ImageService, v1alpha2.RuntimeService, v1alpha2.ImageService]
const driver = [Identity, Node, Controller]

/** @param calls of this socket */
export function replayRoutes(calls: readonly RecordedCall[]): (router: ConnectRouter) => void {
  const book = callBook(withListsOfStreams(calls))
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
        else if (method.methodKind === 'server_streaming' && canStream(book, method))
          router.rpc(
            method as never,
            ((request: Message, context: HandlerContext) => streamed(book, derived, method, request, context)) as never,
          )
      }
    }
  }
}

function canStream(book: CallBook, {name}: DescMethod): boolean {
  const list = streamedLists[name]?.list
  return book.of(name).length > 0 || (list !== undefined && book.of(list).some(({code}) => code === 'OK'))
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
  const answer = derive === undefined ? equal(book, method, request) : derive(request as never, method)
  return await messageIn(answer, method.output, context)
}

/** @throws ConnectError */
async function messageIn(answer: Answer, output: DescMessage, context: HandlerContext): Promise<Message> {
  if (answer === undefined) throw notRecorded()
  if ('message' in answer && typeof answer.message === 'object') return answer.message
  const call = answer as RecordedCall
  await held(call, context)
  return messageOf(output, call)
}

/** A list as a whole in parts; what is none, as it came. */
async function* streamed(
  book: CallBook,
  derived: Readonly<Record<string, Derive>>,
  method: DescMethod,
  request: Message,
  context: HandlerContext,
): AsyncGenerator<Message> {
  const streams = streamedLists[method.name]
  const last = book.of(method.name).at(-1)
  if (streams === undefined || last?.code === 'UNIMPLEMENTED' || book.of(streams.list).length === 0) {
    const call = last?.code === 'UNIMPLEMENTED' ? last : equal(book, method, request)
    if (call === undefined) throw notRecorded()
    await held(call, context)
    return yield* messagesOf(method.output, call)
  }
  const list = v1.RuntimeService.methods.find(({name}) => name === streams.list) ?? v1.ImageService.method.listImages
  const derive = derived[list.name]
  const answer = derive === undefined ? equal(book, {name: list.name, input: method.input}, request) : derive(request as never, method)
  const whole = await messageIn(answer, list.output, context)
  const items = (whole as unknown as Readonly<Record<string, readonly Message[]>>)[streams.whole] ?? []
  for (const part of inParts(items)) yield create(method.output, {[streams.part]: [...part]} as never)
}

function equal(book: CallBook, {name, input}: Pick<DescMethod, 'name' | 'input'>, request: Message): RecordedCall | undefined {
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
