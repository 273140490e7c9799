import {describe, expect, test} from 'vitest'
import {profileOf} from '../../../src/kubelet/profiles.ts'
import {startLabNode} from '../../../src/lab/lab-node.ts'
import {type Explored, exploreHistories} from '../../../src/scenario/explore/explore-histories.ts'
import {exploreReport} from '../../../src/scenario/explore/explore-report.ts'
import {type Finding, kindOf} from '../../../src/scenario/explore/finding.ts'
import {randomHistory, seedOf} from '../../../src/scenario/explore/generate/history.ts'
import {runHistory} from '../../../src/scenario/explore/run-history.ts'
import {bugsOf, isOf} from '../../support/documented-bugs.ts'
import {holesOf, isKnown, knownVersions, patternOf} from '../../support/known-holes.ts'

const explored = (
  version: string,
  seed: number,
  goesOn: (histories: number) => boolean,
  onHistory?: (count: number, findings: readonly Finding[]) => void,
) => exploreHistories({profile: profileOf(version), seed, startNode: startLabNode, goesOn, ...(onHistory ? {onHistory} : {})})

const report = (from: Explored, seed: number) =>
  JSON.stringify(exploreReport(from, {tool: 'test', profile: profileOf('1.17.3'), turns: [], seed, family: 'pods'}))

describe('exploreHistories()', {timeout: 60_000}, () => {
  test.each([1, 2])('finds A2, A3 and A4 of 1.17.3 from seed %i within 300 histories, and names the fix', async (seed) => {
    const missing = new Set<string>(bugsOf('pods').map(({label}) => label))
    await explored(
      '1.17.3',
      seed,
      (count) => missing.size > 0 && count < 300,
      (_, findings) => {
        for (const bug of bugsOf('pods')) if (findings.some((finding) => isOf(bug, finding))) missing.delete(bug.label)
      },
    )
    expect([...missing]).toEqual([])
  })

  test.each(knownVersions)('shows of %s what is known of it and nothing else', async (version) => {
    const {findings} = await explored(version, 5, (count) => count < 150)
    const unknown = findings.filter((finding) => !isKnown(finding, holesOf(version, 'pods')))
    expect(unknown.map(({violation, switches, seed}) => `${kindOf(violation)} (${switches}), seed ${seed}`)).toEqual([])
  })

  test.each(knownVersions.flatMap((version) => holesOf(version, 'pods').map((hole) => ({version, ...hole}))))(
    'shows of $version in history $seed that $kind',
    async ({version, ...hole}) => {
      const {violations} = await runHistory(randomHistory(hole.seed), profileOf(version), startLabNode)
      expect(violations.map(kindOf)).toContainEqual(expect.stringMatching(patternOf(hole)))
    },
  )

  test('is the same for the same seed, and a budget only cuts it', async () => {
    const whole = await explored('1.17.3', 7, (count) => count < 15)
    expect(report(await explored('1.17.3', 7, (count) => count < 15), 7)).toBe(report(whole, 7))
    const cut = await explored('1.17.3', 7, (count) => count < 6)
    expect(whole.findings.map(({seed}) => seed).slice(0, cut.findings.length)).toEqual(cut.findings.map(({seed}) => seed))
  })

  test('shows a finding again by its seed alone', async () => {
    const {findings} = await explored('1.17.3', 9, (count) => count < 15)
    expect(findings.length).toBeGreaterThan(3)
    for (const {violation, seed} of findings) {
      const again = await runHistory(randomHistory(seedOf(seed, 0)), profileOf('1.17.3'), startLabNode)
      expect(again.violations.map(kindOf)).toContain(kindOf(violation))
    }
  })
})
