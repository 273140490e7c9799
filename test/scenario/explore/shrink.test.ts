import {describe, expect, test} from 'vitest'
import {randomHistory, seedOf} from '../../../src/scenario/explore/generate/history.ts'
import type {History} from '../../../src/scenario/explore/history.ts'
import {shrink} from '../../../src/scenario/explore/shrink/shrink.ts'

const histories = Array.from({length: 40}, (_, index) => randomHistory(seedOf(3, index)))
const isDeletion = (step: object): boolean => 'delete' in step
const hasHeld = ({rules}: History) => rules.some(({fault}) => fault.kind === 'hold')

describe('shrink()', () => {
  test('leaves one pod, one container, the deletion and what creates it where no more is needed', async () => {
    for (const history of histories.filter(({steps}) => steps.some(isDeletion))) {
      const {history: small} = await shrink(history, async ({steps}) => steps.some(isDeletion))
      expect(small).toMatchObject({seed: 1, rules: [], until: 10_000})
      expect(small.pods.map(({spec}) => spec.containers)).toEqual([[{name: expect.any(String)}]])
      expect(small.steps.map((step) => ('create' in step ? 'create' : 'delete'))).toEqual(['create', 'delete'])
    }
  })

  test('keeps the rule that it takes, and makes it plain', async () => {
    const held = histories.filter(hasHeld)
    expect(held.length).toBeGreaterThan(3)
    for (const history of held) {
      const {history: small} = await shrink(history, async (smaller) => hasHeld(smaller))
      expect(small.rules).toMatchObject([
        {limit: 1, fault: {kind: 'hold', plan: {reply: {ms: expect.toSatisfy((ms: number) => ms <= 1000)}}}},
      ])
    }
  })

  test('gives back a history that does it, and the same one where nothing can go', async () => {
    for (const history of histories.slice(0, 10)) {
      const text = JSON.stringify(history)
      const {history: small} = await shrink(history, async (smaller) => JSON.stringify(smaller) === text)
      expect(small).toEqual(history)
    }
  })
})
