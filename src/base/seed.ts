// Seeds: whole numbers that are the same wherever they are written. Above 2^53 - 1 two of them would be one.
import {UserError} from './errors.ts'

export const isSeed = (value: number): boolean => Number.isSafeInteger(value) && value >= 0

/** The end of a sentence: what a seed must be. */
export const seedMust = `a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`

/**
 * Of '7': no other way to write a number, so that whoever reads it has the same.
 * @throws UserError naming `what` when it is none.
 */
export function parseSeed(text: string, what: string): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (!isSeed(value)) throw new UserError(`Cannot use ${what} as it must be ${seedMust}: it is '${text}'`)
  return value
}
