import {describe, expect, test} from 'vitest'
import {profileOf, profileVersions} from '../../../../src/kubelet/profiles.ts'
import {startLabNode} from '../../../../src/lab/lab-node.ts'
import {exploreHistories} from '../../../../src/scenario/explore/explore-histories.ts'
import {scenarioText} from '../../../../src/scenario/explore/save/scenario-text.ts'
import {judge} from '../../../../src/scenario/judge.ts'
import {play, usualSeed} from '../../../../src/scenario/play.ts'
import {parseScenario} from '../../../../src/scenario/read-scenario.ts'

describe('scenarioText()', {timeout: 60_000}, () => {
  test('writes of each finding a scenario that shows it where it is, and shows that it is not elsewhere', async () => {
    const profile = profileOf('1.17.3')
    const {findings} = await exploreHistories({profile, seed: 1, startNode: startLabNode, goesOn: (count) => count < 30})
    expect(findings.length).toBeGreaterThan(5)
    const seeds = new Set<number>()
    for (const finding of findings) {
      const scenario = parseScenario(await scenarioText(finding, {profile, family: 'pods', startNode: startLabNode}), 'explored.yaml')
      const {seed = usualSeed} = scenario
      seeds.add(seed)
      for (const version of profileVersions) {
        const record = await play(scenario, {profile: profileOf(version), seed, startNode: startLabNode})
        const {verdict, met, why} = judge(scenario, profileOf(version), record)
        expect(met, `${scenario.name} on ${version}: ${verdict}, ${why}`).toBe(true)
        if (version === profile.version) expect(verdict).toBe('reproduced')
      }
    }
    // One of them takes another seed than the usual one, and says so.
    expect(seeds.size).toBe(2)
  })
})
