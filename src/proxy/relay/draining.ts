// A client is told to connect anew, in two steps as a grpc-go server does it (http2_server.go: outgoingGoAwayHandler): GOAWAY that names no stream and a PING;
// at its acknowledgement the client opens no stream more, and GOAWAY names the last that came. What came is served, and then both connections end.
//
// Before that it hears nothing for a few round trips. A client begins its next call when it has an answer, and nghttp2, so node:http2, refuses by itself what it
// was asked for and had not sent yet when GOAWAY came (nghttp2_session.c: session_predicate_request_headers_send). @grpc/grpc-js sends that again, connect does not.
import type {Clock} from '../../base/clock.ts'
import {errorCodes} from '../../http2/fault.ts'
import type {Frame} from '../../http2/frame.ts'
import type {Endings} from './endings.ts'
import {notYet} from './goaway.ts'
import type {Pair} from './pair.ts'
import type {Pings} from './pings.ts'

/** Until all that an answer brings about in a client has been sent. */
const quietRounds = 3
/** A client that does not answer PINGs waits no longer for what it has coming. */
const mostQuiet = 100
/** For all acknowledgements, and for a server to greet. What comes later a client sends again elsewhere by itself, as GOAWAY says that nobody has begun with it. */
const patience = 1000

export class Draining {
  readonly #pair: Pair
  readonly #pings: Pings
  readonly #endings: Endings
  #step: 'not' | 'begun' | 'announced' | 'told' = 'not'

  constructor(pair: Pair, pings: Pings, endings: Endings) {
    this.#pair = pair
    this.#pings = pings
    this.#endings = endings
  }

  begin(clock: Clock): void {
    if (this.#step !== 'not') return
    this.#step = 'begun'
    const over = new AbortController()
    void this.#endings.ended.then(() => over.abort())
    const later = (ms: number, act: () => void) => void clock.sleep(ms, over.signal).then(act, () => undefined)
    const quieten = () => {
      this.#pair.client.hold()
      this.#quieten(quietRounds)
      later(mostQuiet, () => this.#announce())
    }
    const {upstream, onGreeted} = this.#pair
    if (upstream.said.came) quieten()
    else onGreeted.push(quieten)
    later(patience, () => this.#tell())
  }

  /** A stream is over. */
  streamClosed(): void {
    if (this.#step === 'told' && this.#pair.active === 0) this.#endings.drained()
  }

  #quieten(rounds: number): void {
    if (rounds === 0) this.#announce()
    else if (this.#step === 'begun') this.#pings.ask(() => this.#quieten(rounds - 1))
  }

  #announce(): void {
    if (this.#step !== 'begun') return
    this.#step = 'announced'
    // What the server said of that has its place in what waits.
    if (this.#pair.goingAway) this.#pair.client.letGo()
    else this.#pair.client.urgent(goaway(notYet))
    this.#pings.ask(() => this.#tell())
  }

  #tell(): void {
    const {client, upstream, lastClientId, refusedAbove} = this.#pair
    if (this.#step === 'told' || client.lost || upstream.lost) return
    this.#step = 'told'
    client.letGo()
    // Never above what the server's own said, which a client would take for a mistake.
    const last = Math.min(lastClientId, refusedAbove)
    this.#pair.refusedAbove = last
    client.frame(goaway(last))
    this.streamClosed()
  }
}

const goaway = (lastStreamId: number): Frame => ({
  type: 'GOAWAY',
  lastStreamId,
  code: errorCodes.NO_ERROR,
  debug: Buffer.from('the proxy ends'),
})
