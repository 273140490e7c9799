// A client is told to connect anew, in two steps as a grpc-go server does it (http2_server.go: outgoingGoAwayHandler): GOAWAY that names no stream and a PING;
// at its acknowledgement the client opens no stream more, and GOAWAY names the last that came. What came is served, and then both connections end.
import type {Clock} from '../../base/clock.ts'
import {errorCodes} from '../../http2/fault.ts'
import type {Endings} from './endings.ts'
import {notYet} from './goaway.ts'
import type {Pair} from './pair.ts'
import type {Pings} from './pings.ts'

/** For the acknowledgement, and for a server to greet. What comes later a client sends again elsewhere by itself, as GOAWAY says that nobody has begun with it. */
const patience = 1000

export class Draining {
  readonly #pair: Pair
  readonly #pings: Pings
  readonly #endings: Endings
  #begun = false
  #told = false

  constructor(pair: Pair, pings: Pings, endings: Endings) {
    this.#pair = pair
    this.#pings = pings
    this.#endings = endings
  }

  begin(clock: Clock): void {
    if (this.#begun) return
    this.#begun = true
    // Behind the server's SETTINGS, if they are still to come.
    this.#goaway(notYet)
    this.#pings.ask(() => this.#tell())
    const over = new AbortController()
    void this.#endings.ended.then(() => over.abort())
    clock.sleep(patience, over.signal).then(
      () => this.#tell(),
      () => undefined,
    )
  }

  /** A stream is over. */
  streamClosed(): void {
    if (this.#told && this.#pair.active === 0) this.#endings.drained()
  }

  #tell(): void {
    const {client, upstream, lastClientId} = this.#pair
    if (this.#told || client.lost || upstream.lost) return
    this.#told = true
    this.#goaway(lastClientId)
    this.streamClosed()
  }

  #goaway(last: number): void {
    const {client, refusedAbove} = this.#pair
    // Never above what the server's own said, which a client would take for a mistake.
    const lastStreamId = Math.min(last, refusedAbove)
    if (lastStreamId !== notYet) this.#pair.refusedAbove = lastStreamId
    client.frame({type: 'GOAWAY', lastStreamId, code: errorCodes.NO_ERROR, debug: Buffer.from('the proxy ends')})
  }
}
