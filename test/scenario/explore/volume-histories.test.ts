import {describe, expect, test} from 'vitest'
import {profileOf} from '../../../src/kubelet/profiles.ts'
import {startLabNode} from '../../../src/lab/lab-node.ts'
import {type Exploration, exploreHistories} from '../../../src/scenario/explore/explore-histories.ts'
import {kindOf} from '../../../src/scenario/explore/finding.ts'
import {randomHistory} from '../../../src/scenario/explore/generate/history.ts'
import {runHistory} from '../../../src/scenario/explore/run-history.ts'
import {bugsOf, isOf} from '../../support/documented-bugs.ts'
import {holesOf, isKnown, knownVersions, patternOf} from '../../support/known-holes.ts'

const explored = (version: string, seed: number, more: Pick<Exploration, 'goesOn' | 'onHistory'>) =>
  exploreHistories({profile: profileOf(version), seed, family: 'volumes', startNode: startLabNode, ...more})

describe('exploreHistories() with volumes', {timeout: 120_000}, () => {
  test.each([8])('finds B1, B2 and B3 of 1.17.3 from seed %i within 20 histories, and names the fix', async (seed) => {
    const bugs = bugsOf('volumes')
    const missing = new Set<string>(bugs.map(({label}) => label))
    await explored('1.17.3', seed, {
      goesOn: (count) => missing.size > 0 && count < 20,
      onHistory: (_, findings) => {
        for (const bug of bugs) if (findings.some((finding) => isOf(bug, finding))) missing.delete(bug.label)
      },
    })
    expect([...missing]).toEqual([])
  })

  test.each(knownVersions)('shows of %s what is known of it and nothing else', async (version) => {
    // One of 1.21.2 asks again ten times a second, in each history that forgets.
    const most = version === '1.21.2' ? 12 : 30
    const {findings} = await explored(version, 5, {goesOn: (count) => count < most})
    const unknown = findings.filter((finding) => !isKnown(finding, holesOf(version, 'volumes')))
    expect(unknown.map(({violation, switches, seed}) => `${kindOf(violation)} (${switches}), seed ${seed}`)).toEqual([])
  })

  test.each(knownVersions.flatMap((version) => holesOf(version, 'volumes').map((hole) => ({version, ...hole}))))(
    'shows of $version in history $seed $kind',
    async ({version, ...hole}) => {
      const {violations} = await runHistory(randomHistory(hole.seed, 'volumes'), profileOf(version), startLabNode)
      expect(violations.map(kindOf)).toContainEqual(expect.stringMatching(patternOf(hole)))
    },
  )
})
