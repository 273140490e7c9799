// Streams that takers open upstream: in order of their calls, each once the server takes one more.
import type {Stream} from '../../http2/stream.ts'

export interface Opening {
  readonly start: () => Stream
  readonly resolve: (stream: Stream) => void
  readonly reject: (reason: Error) => void
}

export class Openings {
  readonly #waiting = new Set<Opening>()
  readonly #mayOpen: () => boolean

  constructor(mayOpen: () => boolean) {
    this.#mayOpen = mayOpen
  }

  add(opening: Opening): void {
    this.#waiting.add(opening)
    this.pump()
  }

  /** The server may take one more. */
  pump(): void {
    for (const opening of this.#waiting) {
      if (!this.#mayOpen()) return
      this.#waiting.delete(opening)
      opening.resolve(opening.start())
    }
  }

  giveUp(opening: Opening, reason: Error): void {
    if (this.#waiting.delete(opening)) opening.reject(reason)
  }

  fail(reason: Error): void {
    for (const opening of [...this.#waiting]) this.giveUp(opening, reason)
  }
}
