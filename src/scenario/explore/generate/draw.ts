// Throws of a dice as choices.
import type {Dice} from '../../../base/dice.ts'

/** One of some, each as often as its weight says. */
export function pick<Choice>(dice: Dice, choices: readonly (readonly [weight: number, choice: Choice])[]): Choice {
  const total = choices.reduce((sum, [weight]) => sum + weight, 0)
  let left = dice.roll(total)
  for (const [weight, choice] of choices) {
    if (left < weight) return choice
    left -= weight
  }
  throw new RangeError('nothing to choose from')
}

export const oneOf = <Choice>(dice: Dice, choices: readonly Choice[]): Choice => {
  const choice = choices[dice.roll(choices.length)]
  if (choice === undefined) throw new RangeError('nothing to choose from')
  return choice
}

/** That often of a hundred times. */
export const chance = (dice: Dice, percent: number): boolean => dice.roll(100) < percent

/** A whole number, both ends included. */
export const between = (dice: Dice, least: number, most: number): number => least + dice.roll(most - least + 1)

/** Milliseconds, in steps that people can read. */
export const momentBetween = (dice: Dice, least: number, most: number): number => Math.max(0, between(dice, least / 50, most / 50) * 50)
