// Each scenario, each kubelet, a look every second: `check` is silent before anything goes wrong and wherever the bug is fixed, and names it where it is there.
import {expect, test, vi} from 'vitest'
import type {Finding} from '../../src/findings/finding.ts'
import {profileOf, profileVersions} from '../../src/kubelet/profiles.ts'
import {startLabNode} from '../../src/lab/lab-node.ts'
import {play, start} from '../../src/scenario/play.ts'
import type {Scenario} from '../../src/scenario/schema/scenario.ts'
import {shippedScenarios} from '../../src/scenario/shipped.ts'
import {kindsOf, lookedAt} from '../support/looked-at.ts'

vi.setConfig({testTimeout: 60_000})

interface Row {
  /** Milliseconds from the start; nothing is found before. */
  readonly fault: number
  /** On each kubelet: all that is found at any moment; nothing on those that are not named. */
  readonly found: Readonly<Record<string, readonly string[]>>
  /** The same in the end, where it is not nothing. */
  readonly left?: Readonly<Record<string, readonly string[]>>
  /** Milliseconds between looks; a second when absent. */
  readonly every?: number
  /** Why no finding names the bug. */
  readonly unnamed?: string
}

const madeUp = ['P03 error']
const fallback = ['P03 warning']
/** The image could not be pulled: it never ran, and 137 is what the kubelet gives it. */
const neverRan = ['P03 info']
/** The kubelet waits for the answer of StopPodSandbox, and knows nothing of the end meanwhile. */
const waits = ['P01 info']

const rows: Readonly<Record<string, Row>> = {
  'deleted-before-status': {fault: 100, found: {'1.17.3': madeUp}, every: 100},
  'exit-137-after-exit-0': {
    fault: 10_000,
    found: {'1.17.3': madeUp, '1.21.2': fallback, '1.26.5': fallback, '1.36.2': fallback},
    left: {'1.17.3': madeUp, '1.21.2': fallback, '1.26.5': fallback, '1.36.2': fallback},
  },
  'failed-becomes-succeeded': {fault: 7000, found: {'1.17.3': madeUp}},
  'fallback-exit-137': {fault: 13_000, found: {'1.17.3': madeUp, '1.21.2': fallback, '1.26.5': fallback, '1.36.2': fallback}},
  'reason-cache-blocks-deletion': {
    fault: 80_000,
    found: {'1.17.3': ['P01 info', 'P01 error'], '1.18.2': waits, '1.21.2': waits, '1.26.5': waits, '1.36.2': waits},
    left: {'1.17.3': ['P01 error']},
  },
  'status-channel-backlog': {fault: 99_500, found: {}, every: 31_250, unnamed: 'a status that is late by ten seconds may be on its way'},
  'status-head-of-line': {fault: 30_000, found: {}, unnamed: 'of readiness the kubelet tells nobody but the API server'},
  'success-without-status': {fault: 7000, found: {'1.17.3': madeUp, '1.26.5': neverRan, '1.36.2': neverRan}},
  'terminal-pod-still-running': {
    fault: 7000,
    found: {'1.17.3': ['P03 error', 'P04 error'], '1.18.2': ['P04 info'], '1.21.2': ['P04 info']},
  },
}

const scenarios = await shippedScenarios()

test('detect() is tried on every scenario', () => {
  expect(Object.keys(rows)).toEqual(scenarios.map(({name}) => name))
})

test('the finding that a scenario names is in its row, and a scenario without one says why', () => {
  for (const {name, finding} of scenarios) {
    const row = rows[name]
    const found = Object.values(row?.found ?? {}).flat()
    if (finding === undefined) expect(row?.unnamed, name).toBeDefined()
    else
      expect(
        found.some((each) => each.startsWith(finding.code)),
        name,
      ).toBe(true)
  }
})

async function looksOf(scenario: Scenario, version: string, every: number) {
  const seen: Finding[] = []
  const looked = new Set<string>()
  let early: Finding[] = []
  let last: readonly Finding[] = []
  const {fault = 0} = rows[scenario.name] ?? {}
  await play(scenario, {
    profile: profileOf(version),
    seed: 1,
    startNode: (options) =>
      lookedAt(startLabNode(options), every, (look) => {
        seen.push(...look.findings)
        last = look.findings
        for (const code of look.looked) looked.add(code)
        if (look.at < start + fault) early = [...early, ...look.findings]
      }),
  })
  return {seen, early, last, looked}
}

test.each(scenarios.flatMap((scenario) => profileVersions.map((version) => [scenario.name, version, scenario] as const)))(
  'detect() at each moment of %s on %s finds what is there, and no more',
  async (name, version, scenario) => {
    const row = rows[name]
    const {seen, early, last, looked} = await looksOf(scenario, version, row?.every ?? 1000)
    expect(early.map(({message}) => message)).toEqual([])
    expect(kindsOf(seen)).toEqual(row?.found[version] ?? [])
    expect(kindsOf(last)).toEqual(row?.left?.[version] ?? [])
    expect([...looked]).toEqual(expect.arrayContaining(['P01', 'P02', 'P03', 'P04', 'R01', 'R02', 'R03', 'R06', 'R10']))
  },
)
