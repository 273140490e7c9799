// What is wrong with one moment that a runtime tells, in nanoseconds since 1970. 2^53 of them are 104 days: numbers would not do.
import {formatInstant} from '../../base/instant.ts'

/** Go's zero time pushed through UnixNano: it prints as a day of 1754. */
const goZero = -6_795_364_578_871_345_152n
const perMs = 1_000_000n
/** 12 days after 1970: a number so small counts something larger than nanoseconds. */
const smallest = 1_000_000_000_000_000n
/** No kubelet had a container before. */
const first = Date.UTC(2014, 5, 1)
/** Clocks of one node agree better than that. */
export const futureMs = 300_000

/** 'is 0', 'is 1h 2m in the future' …; undefined when it can be so. */
export function whyImpossible(nanoseconds: bigint, when: number): string | undefined {
  if (nanoseconds === 0n) return 'is 0, as when nobody set it'
  if (nanoseconds === goZero) return `is ${nanoseconds}: the zero of the year 1, in nanoseconds`
  if (nanoseconds < 0n) return `is negative: ${nanoseconds}`
  if (nanoseconds < smallest) {
    const unit = isBetween(Number(nanoseconds) * 1000, when) ? 'seconds' : isBetween(Number(nanoseconds), when) ? 'milliseconds' : undefined
    return unit === undefined ? `lies in 1970: ${shown(nanoseconds)}` : `is ${nanoseconds}: ${unit}, where nanoseconds must be`
  }
  const ms = Number(nanoseconds / perMs)
  if (ms > when + futureMs) return `lies in the future: ${shown(nanoseconds)}`
  return ms < first ? `lies before there was a kubelet: ${shown(nanoseconds)}` : undefined
}

export function isUnset(nanoseconds: bigint): boolean {
  return nanoseconds === 0n || nanoseconds === goZero
}

/** Whatever a bundle says: Date ends in the year 275760. */
export function momentText(ms: number): string {
  return Math.abs(ms) <= 8.64e15 ? formatInstant(Math.floor(ms)) : `${ms} ms after 1970`
}

/** To the second, as milliseconds are rarely the point. */
function shown(nanoseconds: bigint): string {
  return momentText(Number(nanoseconds / 1_000_000_000n) * 1000)
}

function isBetween(ms: number, when: number): boolean {
  return ms >= first && ms <= when + 366 * 86_400_000
}
