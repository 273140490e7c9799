// A client's HEADERS that open a stream: somebody takes the call, or it passes.
import {checkRequest, contentLength} from '../../http2/check-fields.ts'
import {connectionFault, type Fault, streamFault} from '../../http2/fault.ts'
import type {HeadersFrame} from '../../http2/frame.ts'
import type {DecodedFields} from '../../http2/hpack-decoder.ts'
import {withLocalAuthority} from './authority.ts'
import type {CallWatcher} from './handling.ts'
import type {Pair} from './pair.ts'
import {dependenceFor} from './priority.ts'
import {callHead, takeCall} from './taken-call.ts'

export function clientCall(pair: Pair, frame: HeadersFrame, {fields, truncated}: DecodedFields): Fault | undefined {
  const {streamId, endStream, priority} = frame
  if (streamId % 2 === 0) return connectionFault('PROTOCOL_ERROR', `a client opens stream ${streamId}`)
  if (streamId <= pair.lastClientId)
    return pair.client.recentlyReset.has(streamId)
      ? undefined
      : connectionFault('PROTOCOL_ERROR', `stream ${streamId} is opened late or again`)
  pair.lastClientId = streamId
  if (streamId > pair.refusedAbove) {
    pair.client.recentlyReset.add(streamId)
    return undefined
  }
  if (truncated) return streamFault(streamId, 'ENHANCE_YOUR_CALM', 'there are more header fields than we take')
  let watcher: CallWatcher | undefined
  // What is malformed is for the server to refuse.
  if (checkRequest(fields) === undefined && priority?.dependsOn !== streamId && !(endStream && lacksBody(fields))) {
    const refusal = refusedAsByServer(pair, streamId)
    if (refusal) return refusal
    const head = callHead(streamId, fields)
    const handling = pair.handleCall(head)
    if (handling.kind === 'take') {
      takeCall(pair, head, handling.take, endStream)
      return undefined
    }
    watcher = handling.watcher
  }
  const stream = pair.pass(streamId, pair.nextUpstreamId(), watcher)
  const dependence = priority && dependenceFor(pair, pair.client, stream.upstreamId, priority, streamId)
  stream.headers(pair.upstream, withLocalAuthority(fields), endStream, dependence)
  return undefined
}

/** A client that takes more than it may the server would refuse at once. Nobody is asked about a call that is none. */
function refusedAsByServer({upstream, clientEnds}: Pair, streamId: number): Fault | undefined {
  if (clientEnds.size >= upstream.said.inForce.maxConcurrentStreams)
    return streamFault(streamId, 'REFUSED_STREAM', 'there are too many streams')
  return undefined
}

const lacksBody = (fields: DecodedFields['fields']): boolean => (contentLength(fields) ?? 0) !== 0
