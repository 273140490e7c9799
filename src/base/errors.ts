// Two kinds of errors: the user can act on it (UserError), or it is our bug (anything else).
import type {ExitCode} from './exit-codes.ts'

export interface UserErrorOptions {
  /** What to do next: a command or a sentence. */
  readonly hint?: string
  /** What else is wrong with the same thing, a sentence each. */
  readonly more?: readonly string[]
  /** Default: usage (2). */
  readonly exit?: ExitCode
  readonly cause?: unknown
}

/** Something the user can act on. Its message is one sentence: "Cannot X as Y must be Z: it is W (file:line)". */
export class UserError extends Error {
  override readonly name = 'UserError'
  readonly hint: string | undefined
  readonly more: readonly string[]
  readonly exit: ExitCode

  constructor(message: string, options: UserErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : {cause: options.cause})
    this.hint = options.hint
    this.more = options.more ?? []
    this.exit = options.exit ?? 2
  }
}

/** The first line of whatever was thrown, for a sentence of ours. */
export function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.split('\n', 1)[0] ?? ''
}
