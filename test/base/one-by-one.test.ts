import {expect, test} from 'vitest'
import {oneByOne} from '../../src/base/one-by-one.ts'

test('oneByOne() begins each work when those before it have ended, well or badly', async () => {
  const inTurn = oneByOne()
  const seen: string[] = []
  const work =
    (name: string, fails = false) =>
    async () => {
      seen.push(`${name} begins`)
      await Promise.resolve()
      seen.push(`${name} ends`)
      if (fails) throw new Error(name)
    }
  const [one, two, three] = [inTurn(work('one')), inTurn(work('two', true)), inTurn(work('three'))]
  await expect(two).rejects.toThrow('two')
  await Promise.all([one, three])
  expect(seen).toEqual(['one begins', 'one ends', 'two begins', 'two ends', 'three begins', 'three ends'])
})
