// The result goes to stdout, whole or with a word on why not.
import {exitCodes} from '../base/exit-codes.ts'

/** @param unread called when nobody reads it any more */
export function writeResult(text: string, unread: () => void = () => undefined): void {
  // oclif's own listener throws what it does not expect, with a stack trace.
  process.stdout.removeAllListeners('error').on('error', (error: NodeJS.ErrnoException) => tellOfStdout(error, unread))
  process.stdout.write(text)
}

/** Whoever read us may have seen enough; but a result that nobody got is no result. */
function tellOfStdout(error: NodeJS.ErrnoException, unread: () => void): void {
  if (error.code === 'EPIPE') {
    unread()
    return
  }
  process.stderr.write(`kubelimbo: Cannot write the result as stdout must take it: ${error.code ?? error.message}\n`)
  process.exit(exitCodes.blind)
}
