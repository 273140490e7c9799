// One HTTP/2 connection over a duplex stream of bytes: what is the same for both sides. server-connection.ts and client-connection.ts say what is not.
// Nothing that a peer sends makes it throw: a fault of a stream resets the stream, one of the connection ends it with GOAWAY.
import type {Duplex} from 'node:stream'
import {type ConnectionEnding, type ConnectionOptions, type ConnectionRole, defaultOptions} from './connection-role.ts'
import {type ConnectionFault, connectionFault, errorCodes, type Fault, streamFault} from './fault.ts'
import {initialWindow, ReceiveWindow, SendWindow, sentTooMuch, windowTooLarge} from './flow-window.ts'
import {type DataFrame, type Frame, flowLength, type HeadersFrame, type SettingsFrame} from './frame.ts'
import {FrameReader} from './frame-reader.ts'
import {HeaderBlocks} from './header-blocks.ts'
import type {HeaderField} from './header-field.ts'
import {HpackDecoder} from './hpack-decoder.ts'
import {RecentIds} from './recent-ids.ts'
import {Sending} from './sending.ts'
import {applySettings, initialSettings, type Settings, settingsFrame} from './settings.ts'
import {Stream, type StreamHost} from './stream.ts'
import {StreamFailure} from './stream-failure.ts'
import {writeFrame} from './write-frame.ts'

export class Connection {
  readonly streams = new Map<number, Stream>()
  readonly #end = Promise.withResolvers<ConnectionEnding>()
  readonly #socket: Duplex
  readonly #role: ConnectionRole
  readonly #options: Required<ConnectionOptions>
  readonly #reader = new FrameReader()
  readonly #blocks: HeaderBlocks
  readonly #decoder: HpackDecoder
  readonly #sending: Sending
  readonly #host: StreamHost
  /** Of these the peer may not know yet that we reset them. */
  readonly #recentlyReset = new RecentIds(1000)
  readonly #receiveWindow: ReceiveWindow
  #pings: PromiseWithResolvers<void>[] = []
  #theirs: Settings = initialSettings
  #settingsCame = false
  #receiveStreamWindow: number
  #ending: ConnectionEnding | undefined

  constructor(socket: Duplex, role: ConnectionRole, options: ConnectionOptions) {
    this.#socket = socket
    this.#role = role
    this.#options = {...defaultOptions, ...options}
    const {streamWindow, connectionWindow, maxHeaderListSize: maxListSize, huffman} = this.#options
    // Four times: a list that is a little too large costs its stream only.
    this.#blocks = new HeaderBlocks({maxBytes: 4 * maxListSize, maxPieces: 128})
    this.#decoder = new HpackDecoder({maxListSize})
    this.#receiveWindow = new ReceiveWindow(Math.max(initialWindow, connectionWindow))
    // Until it acknowledges ours, the peer goes by the initial one.
    this.#receiveStreamWindow = Math.max(initialWindow, streamWindow)
    this.#sending = new Sending(socket, {
      huffman,
      blocksAreOwed: role.side === 'server',
      peersMaxFrameSize: () => this.#theirs.maxFrameSize,
      sentEnd: (stream) => {
        stream.sentEnd()
        // A server that has answered needs no more of the request (RFC 9113, 8.1), as grpc-go does it.
        if (role.side === 'server') stream.reset(errorCodes.NO_ERROR)
      },
    })
    this.#host = {
      sendHeaders: (stream, fields, endStream) => this.#sending.headers(stream, fields, endStream),
      ready: (stream) => this.#sending.ready(stream),
      taken: (stream, bytes) => this.#taken(stream, bytes),
      sendReset: (stream, code) => this.#sendReset(stream.id, code),
      closed: (stream) => {
        this.streams.delete(stream.id)
        this.#sending.forget(stream)
        role.streamClosed()
      },
    }
  }

  get theirs(): Settings {
    return this.#theirs
  }

  get ended(): Promise<ConnectionEnding> {
    return this.#end.promise
  }

  get hasEnded(): boolean {
    return this.#ending !== undefined
  }

  /** Writes our SETTINGS, behind a client's preface. */
  start(preface: Uint8Array): void {
    const {streamWindow, connectionWindow, maxHeaderListSize} = this.#options
    const ours = settingsFrame({initialWindowSize: streamWindow, maxHeaderListSize, ...this.#role.settings})
    this.#sending.output.write(Buffer.concat([preface, writeFrame(ours)]))
    const increment = connectionWindow - initialWindow
    if (increment > 0) this.#sending.frame({type: 'WINDOW_UPDATE', streamId: 0, increment})
    this.#socket.on('error', (error) => this.#lost(error.message))
    this.#socket.on('close', () => this.#lost('the socket was closed'))
    this.#socket.on('end', () => this.#lost('the peer closed the connection'))
  }

  /** Bytes of the peer, behind a client's preface. */
  receive(chunk: Uint8Array): void {
    if (this.#ending) return
    this.#reader.push(chunk)
    try {
      while (!this.#ending) {
        const frame = this.#reader.next()
        if (frame === undefined) return
        const whole = this.#blocks.take(frame)
        const fault = whole && (whole.type === 'fault' ? whole : this.#handle(whole))
        if (fault) this.fault(fault)
        if (this.#sending.output.owed > this.#options.maxOwed)
          this.fault(connectionFault('ENHANCE_YOUR_CALM', 'it asks for answers and does not read them'))
      }
    } catch (error) {
      // A mistake of ours: this connection pays for it, and no other.
      this.fault(connectionFault('INTERNAL_ERROR', String(error)))
    }
  }

  fault(fault: Fault): void {
    if (fault.scope === 'connection') {
      this.finish({by: 'us', code: fault.code, reason: fault.reason})
      return
    }
    const {streamId, code, reason} = fault
    this.#sendReset(streamId, code)
    this.streams.get(streamId)?.fail(new StreamFailure({code, by: 'us', reason}))
  }

  openStream(id: number, request?: readonly HeaderField[]): Stream {
    const sendWindow = new SendWindow(this.#theirs.initialWindowSize)
    const receiveWindow = new ReceiveWindow(this.#receiveStreamWindow)
    const stream = new Stream({id, host: this.#host, sendWindow, receiveWindow, ...(request && {request})})
    this.streams.set(id, stream)
    return stream
  }

  /** Resolves when the peer has answered. @throws StreamFailure */
  async ping(): Promise<void> {
    if (this.#ending) throw failureOf(this.#ending)
    const answered = Promise.withResolvers<void>()
    this.#pings.push(answered)
    this.#sending.frame({type: 'PING', ack: false, data: new Uint8Array(8)})
    return answered.promise
  }

  sendGoaway(code: number, reason = ''): void {
    if (this.#ending) return
    this.#sending.frame({type: 'GOAWAY', lastStreamId: this.#role.lastPeerStream(), code, debug: Buffer.from(reason)})
  }

  /** With GOAWAY where it is our decision; all streams fail. */
  finish(ending: ConnectionEnding): void {
    if (this.#ending) return
    if (ending.by === 'us') this.sendGoaway(ending.code, ending.reason)
    this.#ending = ending
    const failure = failureOf(ending)
    for (const stream of this.streams.values()) stream.fail(failure)
    for (const {reject} of this.#pings.splice(0)) reject(failure)
    const destroy = () => this.#socket.destroy()
    // Who does not read would keep the socket for ever.
    if (this.#sending.output.owed > this.#options.maxOwed) destroy()
    else this.#sending.output.end(() => this.#socket.end(destroy))
    this.#end.resolve(ending)
  }

  #lost(reason: string): void {
    this.finish({by: 'peer', code: errorCodes.NO_ERROR, reason})
  }

  #handle(frame: Frame): Fault | undefined {
    if (!this.#settingsCame && (frame.type !== 'SETTINGS' || frame.ack))
      return connectionFault('PROTOCOL_ERROR', `${frame.type} came before SETTINGS`)
    switch (frame.type) {
      case 'DATA':
        return this.#data(frame)
      case 'HEADERS':
        return this.#headers(frame)
      case 'RST_STREAM':
        if (this.#role.isIdle(frame.streamId)) return onIdle(frame)
        this.streams.get(frame.streamId)?.peerReset(frame.code)
        return undefined
      case 'SETTINGS':
        return frame.ack ? this.#acknowledged() : this.#settings(frame)
      case 'PUSH_PROMISE':
        return connectionFault('PROTOCOL_ERROR', 'PUSH_PROMISE is not wanted')
      case 'PING':
        if (frame.ack) this.#pings.shift()?.resolve()
        else this.#sending.frame({type: 'PING', ack: true, data: frame.data}, true)
        return undefined
      case 'GOAWAY':
        this.#role.goaway(frame.lastStreamId, frame.code)
        return undefined
      case 'WINDOW_UPDATE':
        return this.#windowUpdate(frame.streamId, frame.increment)
      case 'PRIORITY':
      case 'UNKNOWN':
      case 'CONTINUATION':
        return undefined
      default:
        return frame satisfies never
    }
  }

  #headers({streamId, fragment, endStream}: HeadersFrame): Fault | undefined {
    // Decoded whatever becomes of it, as the blocks behind it build on it.
    const headers = this.#decoder.decode(fragment)
    if (headers.type === 'fault') return headers
    const stream = this.streams.get(streamId)
    if (!stream) return this.#recentlyReset.has(streamId) ? undefined : this.#role.headersOfUnknown(streamId, headers, endStream)
    return headers.truncated ? tooManyFields(streamId) : stream.receiveHeaders(headers.fields, endStream)
  }

  #data(frame: DataFrame): Fault | undefined {
    const {streamId} = frame
    const length = flowLength(frame)
    if (!this.#receiveWindow.receive(length)) return sentTooMuch(0)
    const stream = this.streams.get(streamId)
    if (stream) return stream.receiveData(frame, length)
    this.#taken(undefined, length)
    if (this.#role.isIdle(streamId)) return onIdle(frame)
    return this.#recentlyReset.has(streamId) ? undefined : streamFault(streamId, 'STREAM_CLOSED', 'DATA came for a stream that is over')
  }

  #windowUpdate(streamId: number, increment: number): Fault | undefined {
    if (streamId === 0) {
      if (!this.#sending.window.add(increment)) return windowTooLarge(0)
      this.#sending.resume()
      return undefined
    }
    if (this.#role.isIdle(streamId)) return onIdle({type: 'WINDOW_UPDATE', streamId})
    const stream = this.streams.get(streamId)
    if (!stream) return undefined
    if (!stream.sendWindow.add(increment)) return windowTooLarge(streamId)
    this.#sending.ready(stream)
    return undefined
  }

  #settings(frame: SettingsFrame): ConnectionFault | undefined {
    const settings = applySettings(this.#theirs, frame)
    if ('scope' in settings) return settings
    const change = settings.initialWindowSize - this.#theirs.initialWindowSize
    this.#theirs = settings
    this.#settingsCame = true
    this.#sending.frame({type: 'SETTINGS', ack: true, values: []}, true)
    for (const stream of this.streams.values()) {
      if (!stream.sendWindow.add(change)) return connectionFault('FLOW_CONTROL_ERROR', 'SETTINGS make a window too large')
    }
    if (change > 0) this.#sending.resume(this.streams.values())
    this.#role.settingsCame(settings)
    return undefined
  }

  #acknowledged(): undefined {
    const {streamWindow} = this.#options
    if (streamWindow === this.#receiveStreamWindow) return
    this.#receiveStreamWindow = streamWindow
    for (const stream of this.streams.values()) this.#grant(stream.id, stream.receiveWindow.resize(streamWindow))
  }

  /** Of a body, by whoever wanted it or by nobody: the peer may send as much again. */
  #taken(stream: Stream | undefined, bytes: number): void {
    if (this.#ending) return
    this.#grant(0, this.#receiveWindow.release(bytes))
    if (stream?.wantsData) this.#grant(stream.id, stream.receiveWindow.release(bytes))
  }

  #grant(streamId: number, increment: number): void {
    if (increment > 0) this.#sending.frame({type: 'WINDOW_UPDATE', streamId, increment}, true)
  }

  #sendReset(streamId: number, code: number): void {
    this.#recentlyReset.add(streamId)
    if (!this.#ending) this.#sending.frame({type: 'RST_STREAM', streamId, code}, true)
  }
}

export function tooManyFields(streamId: number): Fault {
  return streamFault(streamId, 'ENHANCE_YOUR_CALM', 'there are more header fields than we take')
}

function onIdle({type, streamId}: {readonly type: string; readonly streamId: number}): ConnectionFault {
  return connectionFault('PROTOCOL_ERROR', `${type} came for stream ${streamId}, which nobody opened`)
}

function failureOf({code, reason}: ConnectionEnding): StreamFailure {
  return new StreamFailure({code, by: 'connection', reason})
}
