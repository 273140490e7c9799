// What one peer says of itself in SETTINGS, which pass unchanged: it holds for both directions once the other peer has acknowledged it.
import {type ConnectionFault, connectionFault} from '../../http2/fault.ts'
import type {SettingsFrame} from '../../http2/frame.ts'
import {applySettings, initialSettings, type Settings} from '../../http2/settings.ts'

/** A peer waits for an acknowledgement before it says much more. */
const mostUnacknowledged = 1000

export class SettingsPassed {
  #inForce = initialSettings
  readonly #unacknowledged: Settings[] = []
  #came = false

  /** It has said something. */
  get came(): boolean {
    return this.#came
  }

  /** Acknowledged, so that its writer and the other peer both go by it. */
  get inForce(): Settings {
    return this.#inForce
  }

  get latest(): Settings {
    return this.#unacknowledged.at(-1) ?? this.#inForce
  }

  /** The other peer may use a larger size before its acknowledgement is here, and a smaller one only from then on. */
  get largestFrame(): number {
    return this.#unacknowledged.reduce((largest, {maxFrameSize}) => Math.max(largest, maxFrameSize), this.#inForce.maxFrameSize)
  }

  add(frame: SettingsFrame): ConnectionFault | undefined {
    const settings = applySettings(this.latest, frame)
    if ('scope' in settings) return settings
    this.#came = true
    if (this.#unacknowledged.length >= mostUnacknowledged) return connectionFault('ENHANCE_YOUR_CALM', 'there are too many SETTINGS')
    this.#unacknowledged.push(settings)
    return undefined
  }

  /** The other peer acknowledged the oldest that it had not. Undefined when there is none. */
  acknowledge(): {readonly before: Settings; readonly after: Settings} | undefined {
    const after = this.#unacknowledged.shift()
    if (!after) return undefined
    const before = this.#inForce
    this.#inForce = after
    return {before, after}
  }
}
