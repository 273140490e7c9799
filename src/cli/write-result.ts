// The result goes to stdout, whole or with a word on why not.
import {UserError} from '../base/errors.ts'
import {exitCodes} from '../base/exit-codes.ts'
import {Interrupted} from './interrupted.ts'

/** @param untaken called when it cannot be written: nobody reads it any more, or it has no place; what it then does must end the command */
export function writeResult(text: string, untaken: (reason: Interrupted | UserError) => void = endWith): void {
  // oclif's own listener throws what it does not expect, with a stack trace.
  process.stdout.removeAllListeners('error').on('error', (error: NodeJS.ErrnoException) => untaken(reasonOf(error)))
  process.stdout.write(text)
}

function reasonOf(error: NodeJS.ErrnoException): Interrupted | UserError {
  if (error.code === 'EPIPE') return new Interrupted('SIGPIPE')
  const why = error.code ?? error.message
  return new UserError(`Cannot write the result as stdout must take it: ${why}`, {exit: exitCodes.blind, cause: error})
}

/** Whoever read us may have seen enough; but a result that nobody got is no result. */
function endWith(reason: Interrupted | UserError): void {
  if (reason instanceof Interrupted) return
  process.stderr.write(`kubelimbo: ${reason.message}\n`)
  process.exit(reason.exit)
}
