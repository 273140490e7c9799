// The result goes to stdout, whole or with a word on why not.
import {exitCodes} from '../base/exit-codes.ts'

export function writeResult(text: string): void {
  // oclif's own listener throws what it does not expect, with a stack trace.
  process.stdout.removeAllListeners('error').on('error', tellOfStdout)
  process.stdout.write(text)
}

/** Whoever read us may have seen enough; but a result that nobody got is no result. */
function tellOfStdout(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') return
  process.stderr.write(`kubelimbo: Cannot write the result as stdout must take it: ${error.code ?? error.message}\n`)
  process.exit(exitCodes.blind)
}
