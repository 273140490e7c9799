// What is random in faults: numbers that depend on the seed, the rule's name and the call's number alone, so that a rule more changes no other's.
import {seeded} from '../base/dice.ts'

/** Whether a call is taken, and how much longer its two waits are. */
export type DrawnFor = 'probability' | 'before' | 'after'

/** @param nth the number of the call, of those that the rule has seen. @returns from 0 to below 1 */
export type Draw = (rule: string, nth: number, what: DrawnFor) => number

export function drawsOf(seed: number): Draw {
  // Seeds and names that differ in the same bits have the same dice: of 1 and 'a', and of 2 and 'b'.
  const dice = seeded(mixed(seed % 2 ** 32) + Math.floor(seed / 2 ** 32) * 2 ** 32)
  return (rule, nth, what) =>
    mixed(
      dice
        .of(rule)
        .of(what)
        .of(`${nth}`)
        .roll(2 ** 31),
    ) /
    2 ** 32
}

/** The first throws of dice whose names differ little are near each other. This is how MurmurHash3 ends (fmix32). */
function mixed(word: number): number {
  const half = Math.imul(word ^ (word >>> 16), 0x85ebca6b)
  const more = Math.imul(half ^ (half >>> 13), 0xc2b2ae35)
  return (more ^ (more >>> 16)) >>> 0
}
