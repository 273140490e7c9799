// Why a stream ended before both sides had ended it, for whoever waits on it.
import {errorCodes, errorName} from './fault.ts'

export interface StreamFailureOptions {
  readonly code: number
  readonly by: 'us' | 'peer' | 'connection'
  /** The peer has not begun with it, so that it may be sent again. */
  readonly unprocessed?: boolean
  readonly reason?: string
}

export class StreamFailure extends Error {
  override readonly name = 'StreamFailure'
  readonly code: number
  readonly by: StreamFailureOptions['by']
  readonly unprocessed: boolean

  constructor({code, by, unprocessed = false, reason}: StreamFailureOptions) {
    const who = {us: 'the stream was reset by us', peer: 'the stream was reset by the peer', connection: 'the connection ended'}[by]
    super(`${who}: ${errorName(code)}${reason ? ` (${reason})` : ''}`)
    this.code = code
    this.by = by
    // RFC 9113, 8.7: REFUSED_STREAM says that nothing was done.
    this.unprocessed = unprocessed || (by === 'peer' && code === errorCodes.REFUSED_STREAM)
  }
}
