import {readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {bugsDocument} from '../../docs/bugs-document.ts'
import {switches} from '../../src/kubelet/switches.ts'
import {repro} from '../../src/repro.ts'
import {parseScenario} from '../../src/scenario/read-scenario.ts'
import {shippedScenarios} from '../../src/scenario/shipped.ts'
import {sampleScenario} from '../support/sample-scenario.ts'

const scenarios = await shippedScenarios()

test('bugsDocument() of what is shipped is docs/bugs.md (npm run docs)', () => {
  expect(readFileSync('docs/bugs.md', 'utf8')).toBe(bugsDocument(scenarios))
})

test('bugsDocument() has each scenario and each switch', () => {
  const text = bugsDocument(scenarios)
  for (const {name, why} of scenarios) {
    expect(text).toContain(`\n## ${name}\n`)
    expect(text).toContain(why)
  }
  for (const {name, since} of Object.values(switches)) expect(text).toContain(`| \`${name}\` | ${since} |`)
})

const advice = [...bugsDocument(scenarios).matchAll(/`kubelimbo repro ([\w-]+)`.*`--profile (\S+) --switch (\S+)`/g)].map(
  ([, name = '', profiles = '', turns = '']) => [name, profiles, turns] as const,
)

test('bugsDocument() names one change alone for many of the scenarios', () => {
  expect(advice.length).toBeGreaterThan(10)
})

test.each(advice)('bugsDocument() of %s says that on %s another verdict comes with %s', async (name, profiles, turns) => {
  const verdicts = await Promise.all(
    [{}, {turns}].map(async (more) => {
      const {scenarios: played} = await repro({names: [name], profiles, seed: 1, timelines: false, tool: 'kubelimbo 0.0.0', ...more})
      return played[0]?.runs[0]?.verdict
    }),
  )
  expect(verdicts).toEqual(['reproduced', 'not reproduced'])
})

test.each([
  ['finding: P01', '`kubelimbo check` says P01 terminating-with-nothing-left; `kubelimbo explain P01`'],
  ['finding: {code: P03, severity: error}', '`kubelimbo check` says P03 made-up-exit (error);'],
  ['profiles: [1.17.3]', '`kubelimbo check` has no finding for it'],
])('bugsDocument() of a scenario with %s says how a node tells', (line, words) => {
  const text = sampleScenario.replace('label: A4\n', `label: A4\n${line}\n`)
  expect(bugsDocument([parseScenario(text, 'sample.yaml')])).toContain(words)
})
