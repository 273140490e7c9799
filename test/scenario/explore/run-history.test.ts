import {expect, test} from 'vitest'
import {profileOf} from '../../../src/kubelet/profiles.ts'
import {startLabNode} from '../../../src/lab/lab-node.ts'
import {kindOf} from '../../../src/scenario/explore/finding.ts'
import {randomHistory, seedOf} from '../../../src/scenario/explore/generate/history.ts'
import {runHistory} from '../../../src/scenario/explore/run-history.ts'

test.each([
  ['1.17.3', 'pods', 60],
  ['1.36.2', 'pods', 60],
  ['1.17.3', 'volumes', 8],
  ['1.36.2', 'volumes', 20],
] as const)('runHistory() ends early on %s and finds what there is to the end, of %s', async (version, family, count) => {
  const profile = profileOf(version)
  for (let index = 0; index < count; index++) {
    const history = randomHistory(seedOf(11, index), family)
    const [early, whole] = [
      await runHistory(history, profile, startLabNode),
      await runHistory(history, profile, startLabNode, {whole: true}),
    ]
    expect(early.events.length).toBeLessThanOrEqual(whole.events.length)
    expect(early.violations.map(kindOf), `seed ${history.seed}`).toEqual(whole.violations.map(kindOf))
  }
})
