// Flags that take whole numbers which a number of JavaScript holds exactly: no seed is silently another.
import {CLIError} from '@oclif/core/errors'
import {custom} from '@oclif/core/flags'

/** Of --runs: wholeNumber('--runs', 1). */
export const wholeNumber = (flag: string, least: number, most?: number) =>
  custom<number>({parse: async (text) => parseWhole(text, flag, least, most)})

/** @throws one of oclif's errors: it puts words of its own around each, which usageSentence() takes away */
export function parseWhole(text: string, flag: string, least: number, most: number = Number.MAX_SAFE_INTEGER): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (Number.isSafeInteger(value) && value >= least && value <= most) return value
  throw new CLIError(`Cannot use ${flag} as it must be a whole number from ${least} to ${most}: it is '${text}'`)
}
