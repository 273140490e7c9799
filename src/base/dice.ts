// Seeded randomness: the same seed, the same throws.
import {uniformInt} from 'pure-rand/distribution/uniformInt'
import {xoroshiro128plus} from 'pure-rand/generator/xoroshiro128plus'

export interface Dice {
  /** An integer from 0 to below `sides`. */
  roll(sides: number): number
  /** A number from 0 to below 1. */
  fraction(): number
  /** Dice of their own for one part, so that a throw more in one part changes no other. Same name, same dice. */
  of(part: string): Dice
}

const fine = 2 ** 31

export function seeded(seed: number): Dice {
  // The generator and the hash take 32 bits: what a seed has above them counts, too.
  const word = seed < 2 ** 32 ? seed : hash(`${Math.floor(seed / 2 ** 32)}`, seed)
  const generator = xoroshiro128plus(word)
  const roll = (sides: number) => uniformInt(generator, 0, sides - 1)
  return {roll, fraction: () => roll(fine) / fine, of: (part) => seeded(hash(part, word))}
}

/** FNV-1a over the UTF-16 units. */
function hash(text: string, seed: number): number {
  let value = 0x811c9dc5 ^ seed
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  return value | 0
}
