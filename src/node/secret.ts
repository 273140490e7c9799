// A token or a private key. It gets out by reveal() only: neither a message, nor JSON, nor a debugger's print shows it.
import {inspect} from 'node:util'

const shown = '[secret]'

export class Secret {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  reveal(): string {
    return this.#text
  }

  /** The text of somebody who may have been told the secret, without it. */
  hide(text: string): string {
    return this.#text === '' ? text : text.replaceAll(this.#text, shown)
  }

  toString(): string {
    return shown
  }

  toJSON(): string {
    return shown
  }

  [inspect.custom](): string {
    return shown
  }
}
