// A run that breaks is a bug of ours, and no verdict: whoever waits for it hears of what was thrown, also where nobody waited for the promise.
import {firstLine, UserError} from '../base/errors.ts'

/** Where a process tells of what nobody caught. */
export interface Uncaught {
  on(event: 'unhandledRejection' | 'uncaughtException', listener: (error: unknown) => void): unknown
  off(event: 'unhandledRejection' | 'uncaughtException', listener: (error: unknown) => void): unknown
}

const events = ['unhandledRejection', 'uncaughtException'] as const

/**
 * @param what 'the scenario x on 1.17.3'
 * @throws UserError that the run threw, or else an Error in one sentence that names it
 */
export async function wholeRun<T>(what: string, run: () => Promise<T>, uncaught: Uncaught = process): Promise<T> {
  const thrown: unknown[] = []
  const listener = (error: unknown) => void thrown.push(error)
  for (const event of events) uncaught.on(event, listener)
  try {
    const result = await run()
    if (thrown.length === 0) return result
  } catch (error) {
    thrown.unshift(error)
  } finally {
    for (const event of events) uncaught.off(event, listener)
  }
  throw toldOf(thrown[0], what)
}

function toldOf(error: unknown, what: string): Error {
  if (error instanceof UserError) return error
  const told = new Error(`${what} cannot be played to its end, please report it with what was played: ${firstLine(error)}`, {cause: error})
  // Where it was, for whoever asks for it.
  if (error instanceof Error && error.stack !== undefined) told.stack = `${told.message}\n${error.stack}`
  return told
}
