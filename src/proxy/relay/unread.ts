// How much of the connection's window the streams that somebody took may hold on to: who does not read one must not stop all.
import type {Stream} from '../../http2/stream.ts'

/** Of one stream, until the rest is room again although it was not read; its own window bounds that. */
const share = 4 * 1024 * 1024

interface Account {
  unread: number
  /** Of the unread, what was given back to the connection already. */
  ahead: number
}

export class Unread {
  readonly #accounts = new WeakMap<Stream, Account>()

  /** These bytes came. Returns how much to give back to the connection now. */
  received(stream: Stream, bytes: number): number {
    const account = this.#of(stream)
    account.unread += bytes
    return advance(account, share)
  }

  /** They were read, or will not be. */
  taken(stream: Stream, bytes: number): number {
    const account = this.#of(stream)
    account.unread -= bytes
    const already = Math.min(account.ahead, bytes)
    account.ahead -= already
    return bytes - already
  }

  /** The stream is over, and nobody may ever read what is left. */
  closed(stream: Stream): number {
    return advance(this.#of(stream), 0)
  }

  #of(stream: Stream): Account {
    const known = this.#accounts.get(stream)
    if (known) return known
    const account = {unread: 0, ahead: 0}
    this.#accounts.set(stream, account)
    return account
  }
}

function advance(account: Account, keeps: number): number {
  const bytes = Math.max(0, account.unread - account.ahead - keeps)
  account.ahead += bytes
  return bytes
}
