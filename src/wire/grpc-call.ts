// One call on a stream: connect's handler of the method does what gRPC is, this file what HTTP/2 is around it.
import {Code, ConnectError} from '@connectrpc/connect'
import type {UniversalHandler, UniversalServerResponse} from '@connectrpc/connect/protocol'
import {errorCodes} from '../http2/fault.ts'
import {fieldValue, type HeaderField} from '../http2/header-field.ts'
import type {ServerStream} from '../http2/server-connection.ts'
import {StreamFailure} from '../http2/stream-failure.ts'
import {contextWithTimeout} from './call-timeout.ts'
import {type EarlyStatus, trailersOnly} from './grpc-status.ts'
import {parseGrpcTimeout} from './grpc-timeout.ts'

export interface GrpcMethods {
  /** By path: '/runtime.v1.RuntimeService/Version'. */
  readonly handlers: ReadonlyMap<string, UniversalHandler>
  readonly services: ReadonlySet<string>
}

export async function answerCall(stream: ServerStream, request: readonly HeaderField[], methods: GrpcMethods): Promise<void> {
  const path = fieldValue(request, ':path') ?? ''
  const handler = methods.handlers.get(path)
  const timeout = fieldValue(request, 'grpc-timeout')
  const timeoutMs = timeout === undefined ? undefined : parseGrpcTimeout(timeout)
  const refusal = refuse(request, timeoutMs) ?? (handler ? undefined : unimplemented(path, methods.services))
  if (refusal || !handler) {
    stream.sendHeaders(trailersOnly(refusal ?? unimplemented(path, methods.services)), {endStream: true})
    return
  }
  const header = new Headers()
  for (const {name, value} of request) if (!name.startsWith(':') && name !== 'grpc-timeout') header.append(name, value)
  const response: UniversalServerResponse = await handler({
    httpVersion: '2.0',
    method: 'POST',
    // Of the authority nothing is asked: a kubelet's is a path, which is no part of a URL.
    url: `http://localhost${path}`,
    header,
    body: requestBody(stream),
    signal: signalOf(stream),
    contextValues: contextWithTimeout(timeoutMs),
  })
  // As grpc-go: a reply has the request's content type, which connect would complete to application/grpc+proto.
  const type = fieldValue(request, 'content-type')
  if (type !== undefined) response.header?.set('content-type', type)
  await send(stream, response)
}

/** In the order and the words of grpc-go (operateHeaders). */
function refuse(request: readonly HeaderField[], timeoutMs: number | undefined): EarlyStatus | undefined {
  const contentType = fieldValue(request, 'content-type') ?? ''
  if (!/^application\/grpc(?:$|[+;])/i.test(contentType))
    return {code: Code.InvalidArgument, message: `invalid gRPC request content-type "${contentType}"`, httpStatus: 415}
  if (Number.isNaN(timeoutMs)) return {code: Code.Internal, message: 'malformed grpc-timeout', httpStatus: 400}
  const method = fieldValue(request, ':method')
  if (method === 'POST') return undefined
  const message = `Received a HEADERS frame with :method "${method}" which should be POST`
  return {code: Code.Internal, message, httpStatus: 405}
}

function unimplemented(path: string, services: ReadonlySet<string>): EarlyStatus {
  const whole = path.startsWith('/') ? path.slice(1) : path
  const slash = whole.lastIndexOf('/')
  if (slash < 0) return {code: Code.Unimplemented, message: `malformed method name: "${path}"`}
  const [service, method] = [whole.slice(0, slash), whole.slice(slash + 1)]
  const message = services.has(service) ? `unknown method ${method} for service ${service}` : `unknown service ${service}`
  return {code: Code.Unimplemented, message}
}

async function* requestBody(stream: ServerStream): AsyncGenerator<Uint8Array> {
  try {
    yield* stream
  } catch (error) {
    throw asCanceled(error)
  }
}

function signalOf(stream: ServerStream): AbortSignal {
  const controller = new AbortController()
  stream.signal.addEventListener('abort', () => controller.abort(asCanceled(stream.signal.reason)), {once: true})
  return controller.signal
}

/** What grpc-go's handlers see when the client gives up or is gone. */
function asCanceled(error: unknown): unknown {
  return error instanceof StreamFailure ? new ConnectError(error.message, Code.Canceled, undefined, undefined, error) : error
}

/** A reply without a message is trailers-only: a kubelet 1.32 exits on headers that no trailers follow. */
async function send(stream: ServerStream, {status, header, body, trailer}: UniversalServerResponse): Promise<void> {
  const messages = body?.[Symbol.asyncIterator]()
  const first = await messages?.next()
  const head = [{name: ':status', value: String(status)}, ...fieldsOf(header)]
  if (first === undefined || first.done) {
    // Fields of the handler's own are headers; grpc-go sends them apart then, too.
    if (head.some(({name}) => !ofEveryReply.has(name))) stream.sendHeaders(head)
    else return stream.sendHeaders([...head.filter(({name}) => kept.has(name)), ...fieldsOf(trailer)], {endStream: true})
    return stream.end(fieldsOf(trailer))
  }
  stream.sendHeaders(head)
  try {
    for (let next: IteratorResult<Uint8Array> | undefined = first; next && !next.done; next = await messages?.next()) {
      await stream.write(next.value)
    }
  } catch (error) {
    await messages?.throw?.(asCanceled(error)).catch(() => undefined)
    return stream.reset(errorCodes.INTERNAL_ERROR)
  }
  stream.end(fieldsOf(trailer))
}

const kept: ReadonlySet<string> = new Set([':status', 'content-type'])
const ofEveryReply: ReadonlySet<string> = new Set([...kept, 'grpc-encoding', 'grpc-accept-encoding'])

function fieldsOf(headers: Headers | undefined): HeaderField[] {
  return [...(headers ?? [])].map(([name, value]) => ({name, value}))
}
