// PINGs pass, both ways, but for those of a client that its server would hold against it for what we did.
//
// A gRPC client pings while it receives, to learn how much it may ask for, and a grpc-go server forgives that only as long as it sends (http2_server.go,
// handlePing: setResetPingStrikes with each HEADERS and DATA; the third PING too many ends the connection). What it has sent long ago may wait here, or come
// slower, or be our own.
import type {Frame} from '../../http2/frame.ts'
import type {Pair} from './pair.ts'

/** Of our own PINGs to a client; a server may be a proxy of this kind, too. */
const ownWord = Buffer.from('limbo?\r\n')

type Ping = Extract<Frame, {type: 'PING'}>

export class Pings {
  readonly #pair: Pair
  /** What the client had been sent at its last PING. */
  #toldBefore = 0
  /** Those that passed and are not acknowledged. */
  #passed = 0
  /** The server has sent HEADERS or DATA since it acknowledged the last that passed: it forgives the next one. */
  #forgives = false
  /** Told of the acknowledgements of our own. */
  readonly #asked: (() => void)[] = []
  /** The server's that have our word and are not acknowledged: of all and of those that went before ours. */
  #alike = 0
  #before = 0

  constructor(pair: Pair) {
    this.#pair = pair
  }

  /** HEADERS or DATA came of the server. */
  serverSent(): void {
    if (this.#passed === 0) this.#forgives = true
  }

  fromClient(frame: Ping, raw: Uint8Array): void {
    const {client, upstream} = this.#pair
    if (frame.ack) {
      if (!this.#isOurs(frame)) upstream.write(raw)
      return
    }
    const told = client.answers !== this.#toldBefore
    this.#toldBefore = client.answers
    const wouldNotForgive = told && !(this.#forgives && this.#passed === 0)
    if (wouldNotForgive || this.#allAreHeld()) {
      client.frame({...frame, ack: true})
      return
    }
    this.#passed++
    upstream.write(raw)
  }

  fromServer(frame: Ping, raw: Uint8Array): void {
    if (frame.ack && this.#passed > 0) {
      this.#passed--
      this.#forgives = false
    }
    if (!frame.ack && ownWord.equals(frame.data)) this.#alike++
    this.#pair.client.write(raw)
  }

  /** The client has seen all that was sent before. */
  ask(acknowledged: () => void): void {
    if (this.#asked.length === 0) this.#before = this.#alike
    this.#asked.push(acknowledged)
    this.#pair.client.urgent({type: 'PING', ack: false, data: ownWord})
  }

  #isOurs({data}: Ping): boolean {
    const [acknowledged] = this.#asked
    if ((acknowledged === undefined && this.#alike === 0) || !ownWord.equals(data)) return false
    if (acknowledged === undefined || this.#before > 0) {
      this.#before = Math.max(0, this.#before - 1)
      this.#alike--
      return false
    }
    this.#asked.shift()
    acknowledged()
    return true
  }

  /** The client has calls, and the server knows of none: it would take PINGs for those of an idle client, of which it takes fewer. */
  #allAreHeld(): boolean {
    return this.#pair.upstream.streams.size === 0 && this.#pair.clientEnds.size > 0
  }
}
