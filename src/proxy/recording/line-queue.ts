// Lines on their way to a file, in order: what comes faster than the disk takes it waits, but not more than the memory is for.
import {firstLine} from '../../base/errors.ts'
import type {LineFile} from './line-file.ts'

export interface QueueLimits {
  /** Bytes that wait. */
  readonly waiting: number
  /** Bytes of the file. */
  readonly file: number
}

/** What goes to the file in one piece. */
const mostAtOnce = 1024 * 1024

interface Waiting {
  readonly line: string
  readonly written: () => void
}

export class LineQueue {
  /** Why no more is written, once that is so. */
  readonly broken: Promise<string>
  readonly #file: LineFile
  readonly #limits: QueueLimits
  readonly #break: (why: string) => void
  #lines: Waiting[] = []
  #waiting = 0
  #taken = 0
  #written = 0
  #isBroken = false
  #writing: Promise<void> | undefined

  constructor(file: LineFile, limits: QueueLimits) {
    this.#file = file
    this.#limits = limits
    const {promise, resolve} = Promise.withResolvers<string>()
    this.broken = promise
    this.#break = (why) => {
      if (this.#isBroken) return
      this.#isBroken = true
      this.#lines = []
      this.#waiting = 0
      resolve(why)
    }
  }

  /** Bytes that the file has taken. */
  get written(): number {
    return this.#written
  }

  get isBroken(): boolean {
    return this.#isBroken
  }

  hasRoomFor(bytes: number): boolean {
    return !this.#isBroken && this.#waiting + bytes <= this.#limits.waiting
  }

  /** False where it is not taken. @param written called when the file has it */
  push(line: string, written: () => void): boolean {
    const bytes = Buffer.byteLength(line)
    if (!this.hasRoomFor(bytes)) return false
    if (this.#taken + bytes > this.#limits.file) {
      void this.drained().then(() => this.#break(`it has as many bytes as a recording may have: ${this.#written}`))
      this.#taken = Number.POSITIVE_INFINITY
      return false
    }
    this.#taken += bytes
    this.#waiting += bytes
    this.#lines.push({line, written})
    this.#writing ??= this.#write()
    return true
  }

  /** Never rejects. */
  async drained(): Promise<void> {
    await this.#writing
  }

  async #write(): Promise<void> {
    // Whoever pushes goes on first.
    await undefined
    while (this.#lines.length > 0) {
      const those = this.#next()
      const piece = those.map(({line}) => line).join('')
      const bytes = Buffer.byteLength(piece)
      try {
        await this.#file.append(piece)
        this.#written += bytes
        if (!this.#isBroken) this.#waiting -= bytes
        for (const {written} of those) written()
      } catch (error) {
        this.#break(firstLine(error))
      }
    }
    this.#writing = undefined
  }

  #next(): readonly Waiting[] {
    let count = 0
    let length = 0
    for (const {line} of this.#lines) {
      if (count > 0 && length + line.length > mostAtOnce) break
      count++
      length += line.length
    }
    return this.#lines.splice(0, count)
  }
}
