// What a watcher is told of a call that passes: it holds nothing up, and hears of one ending.
import {fieldValue, type HeaderField} from '../../http2/header-field.ts'
import type {CallEnding, CallWatcher} from './handling.ts'

export class WatchedCall {
  #watcher: CallWatcher | undefined
  #answering = false

  constructor(watcher: CallWatcher) {
    this.#watcher = watcher
  }

  requestData(bytes: Uint8Array): void {
    if (bytes.length > 0) this.#watcher?.requestData?.(bytes)
  }

  responseHeaders(fields: readonly HeaderField[], endStream: boolean): void {
    if (!this.#watcher) return
    if (endStream) this.ended({kind: 'answered', trailers: fields})
    else if (!this.#answering && !fieldValue(fields, ':status')?.startsWith('1')) {
      this.#answering = true
      this.#watcher.responseHeaders?.(fields)
    }
  }

  responseData(bytes: Uint8Array, endStream: boolean): void {
    if (!this.#watcher) return
    if (bytes.length > 0) this.#watcher.responseData?.(bytes)
    if (endStream) this.ended({kind: 'answered', trailers: []})
  }

  ended(ending: CallEnding): void {
    const watcher = this.#watcher
    this.#watcher = undefined
    watcher?.ended(ending)
  }
}
