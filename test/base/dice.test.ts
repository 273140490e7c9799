import {expect, test} from 'vitest'
import {seeded} from '../../src/base/dice.ts'

const throws = (dice: ReturnType<typeof seeded>, count = 20) => Array.from({length: count}, () => dice.roll(1000))

test('seeded() throws the same for the same seed, and not for another', () => {
  expect(throws(seeded(7))).toEqual(throws(seeded(7)))
  expect(throws(seeded(7))).not.toEqual(throws(seeded(8)))
})

test('seeded() throws others for seeds that differ above 32 bits alone', () => {
  const seeds = [7, 7 + 2 ** 32, 7 + 2 ** 33, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER - 2 ** 32]
  expect(new Set(seeds.map((seed) => throws(seeded(seed)).join())).size).toBe(seeds.length)
  expect(new Set(seeds.map((seed) => throws(seeded(seed).of('api')).join())).size).toBe(seeds.length)
})

test('roll() stays within its sides and uses all of them', () => {
  const rolls = Array.from({length: 600}, (_, seed) => seeded(seed).roll(6))
  for (const side of [0, 1, 2, 3, 4, 5]) expect(rolls.filter((roll) => roll === side).length).toBeGreaterThan(60)
  expect(rolls.every((roll) => Number.isInteger(roll) && roll >= 0 && roll < 6)).toBe(true)
})

test('fraction() is from 0 to below 1', () => {
  const dice = seeded(1)
  const all = Array.from({length: 1000}, () => dice.fraction())
  expect(all.every((each) => each >= 0 && each < 1)).toBe(true)
  expect(all.filter((each) => each < 0.5).length).toBeGreaterThan(400)
})

test('of() gives the same dice for the same name, and others for another', () => {
  const dice = seeded(7)
  expect(throws(dice.of('api'))).toEqual(throws(dice.of('api')))
  expect(throws(dice.of('api'))).not.toEqual(throws(dice.of('runtime')))
  expect(throws(dice.of('api'))).not.toEqual(throws(seeded(8).of('api')))
})

test('of() is not changed by what other parts throw', () => {
  const quiet = seeded(7)
  const busy = seeded(7)
  throws(busy)
  throws(busy.of('runtime'))
  expect(throws(busy.of('api'))).toEqual(throws(quiet.of('api')))
})

test('of() spreads the first throw of names that differ in their end alone', () => {
  const first = Array.from({length: 1000}, (_, index) => seeded(1).of(`start ${index}`).roll(10))
  for (let side = 0; side < 10; side++) expect(first.filter((roll) => roll === side).length).toBeGreaterThan(60)
})
