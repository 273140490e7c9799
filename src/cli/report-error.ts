// Whatever a command threw, in one sentence on stderr and an exit code. A stack trace is for whoever asks for it.
import {firstLine, UserError} from '../base/errors.ts'
import {exitCodes} from '../base/exit-codes.ts'
import {isFullDisk, isReadOnlyDisk, unwrittenHint, unwrittenReason} from '../base/unwritten.ts'
import {oneLine} from '../render/escaped.ts'
import {Interrupted} from './interrupted.ts'
import {usageSentence} from './usage-sentence.ts'

export interface ErrorReport {
  /** Lines for stderr; none when there is nothing to say. */
  readonly lines: readonly string[]
  readonly exit: number
}

/** What it says may quote a bundle, a server or the command line: it is shown, not obeyed. */
export function describeError(error: unknown, debug: boolean): ErrorReport {
  const {lines, exit} = describe(error, debug)
  return {lines: lines.map(oneLine), exit}
}

function describe(error: unknown, debug: boolean): ErrorReport {
  const stack = debug && error instanceof Error && error.stack ? error.stack.split('\n') : []
  if (error instanceof UserError) {
    return {
      lines: [
        ...[error.message, ...error.more].map((sentence) => `kubelimbo: ${sentence}`),
        ...(error.hint === undefined ? [] : [`hint: ${error.hint}`]),
        ...stack,
      ],
      exit: error.exit,
    }
  }
  // What could not be undone is news; why we stopped is not.
  if (error instanceof Error && error.name === 'SuppressedError' && 'error' in error) return describe(error.error, debug)
  if (error instanceof Interrupted) return {lines: stack, exit: error.exit}
  if (isOclif(error)) {
    // this.exit() has said what it had to say.
    if (error.code === 'EEXIT') return {lines: [], exit: error.oclif.exit ?? exitCodes.clean}
    return {lines: [`kubelimbo: ${usageSentence(error.message)}`, 'hint: --help shows what there is', ...stack], exit: exitCodes.usage}
  }
  // Wherever it was met, it is the machine's.
  if (isFullDisk(error) || isReadOnlyDisk(error)) {
    const {path} = error as NodeJS.ErrnoException
    const what = path ?? 'a file'
    return {
      lines: [`kubelimbo: Cannot write ${what}: ${unwrittenReason(error)}`, `hint: ${unwrittenHint(error)}`, ...stack],
      exit: exitCodes.blind,
    }
  }
  return {
    lines: [
      `kubelimbo: this is a bug in kubelimbo: ${firstLine(error)}`,
      ...(debug ? stack : ['hint: KUBELIMBO_DEBUG=1 shows where, for the report']),
    ],
    exit: exitCodes.blind,
  }
}

interface OclifError extends Error {
  readonly code?: string
  readonly oclif: {readonly exit?: number}
}

function isOclif(error: unknown): error is OclifError {
  return error instanceof Error && 'oclif' in error && typeof error.oclif === 'object' && error.oclif !== null
}
