import {describe, expect, test} from 'vitest'
import {profileOf, profileVersions} from '../../../../src/kubelet/profiles.ts'
import {startLabNode} from '../../../../src/lab/lab-node.ts'
import {exploreHistories} from '../../../../src/scenario/explore/explore-histories.ts'
import {scenarioText} from '../../../../src/scenario/explore/save/scenario-text.ts'
import {judge} from '../../../../src/scenario/judge.ts'
import {play, usualSeed} from '../../../../src/scenario/play.ts'
import {parseScenario} from '../../../../src/scenario/read-scenario.ts'

describe('scenarioText()', {timeout: 120_000}, () => {
  test.each([
    {family: 'pods', version: '1.17.3', seed: 1, histories: 30},
    {family: 'volumes', version: '1.36.2', seed: 4, histories: 70},
  ] as const)(
    'writes of what $version shows about $family scenarios that show them where they are, and that they are not elsewhere',
    async (given) => {
      const {family, version: found, seed: first, histories} = given
      const profile = profileOf(found)
      const {findings} = await exploreHistories({
        profile,
        family,
        seed: first,
        startNode: startLabNode,
        goesOn: (count) => count < histories,
      })
      expect(findings.length).toBeGreaterThan(2)
      const seeds = new Set<number>()
      for (const finding of findings) {
        const scenario = parseScenario(await scenarioText(finding, {profile, family, startNode: startLabNode}), 'explored.yaml')
        const {seed = usualSeed} = scenario
        seeds.add(seed)
        for (const version of profileVersions) {
          const record = await play(scenario, {profile: profileOf(version), seed, startNode: startLabNode})
          const {verdict, met, why} = judge(scenario, profileOf(version), record)
          expect.soft(met, `${scenario.name} on ${version}: ${verdict}, ${why}`).toBe(true)
          if (version === profile.version) expect.soft(verdict).toBe('reproduced')
        }
      }
      // One of the first takes another seed than the usual one, and says so.
      if (family === 'pods') expect(seeds.size).toBe(2)
    },
  )
})
