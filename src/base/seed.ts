// Seeds: whole numbers that are the same wherever they are written. Above 2^53 - 1 two of them would be one.

export const isSeed = (value: number): boolean => Number.isSafeInteger(value) && value >= 0

/** The end of a sentence: what a seed must be. */
export const seedMust = `a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`

/** Of what is random in the faults of a proxy, where nobody names one. */
export const usualFaultSeed = 1
