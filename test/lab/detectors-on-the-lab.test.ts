// Each scenario, each kubelet, a check each second: `check` is silent before anything goes wrong and wherever the bug is fixed, and names it where it is there.
import {expect, test, vi} from 'vitest'
import type {Finding} from '../../src/findings/finding.ts'
import {profileOf, profileVersions} from '../../src/kubelet/profiles.ts'
import {startLabNode} from '../../src/lab/lab-node.ts'
import {play, start} from '../../src/scenario/play.ts'
import type {Scenario} from '../../src/scenario/schema/scenario.ts'
import {shippedScenarios} from '../../src/scenario/shipped.ts'
import {kindsOf, lookedAt} from '../support/looked-at.ts'

vi.setConfig({testTimeout: 60_000})

/** On each kubelet; nothing on those that are not named. */
type ByKubelet = Readonly<Record<string, readonly string[]>>

interface Row {
  /** Milliseconds from the start; nothing is found before. */
  readonly fault: number
  /** All that is found at any moment. */
  readonly found: ByKubelet
  /** The same in the end. */
  readonly left?: ByKubelet
  /** Milliseconds between looks in the first seconds; a second when absent. */
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

/** It has not ended, as far as anybody can tell. */
const staging = ['U01 info']
const publishing = ['U02 info']
/** A file of it is left that the kubelet made before the call. */
const orphan = ['V01 info']
/** Of 1.20 and 1.21 alone: a container that was killed and removed is told to have ended with 137 before, where nobody deleted it by hand (#104107). */
const removedUnread = ['P03 warning']
const everywhere = (found: readonly string[]): ByKubelet => Object.fromEntries(profileVersions.map((version) => [version, found]))

const rows: Readonly<Record<string, Row>> = {
  'capability-error-on-retry': {
    fault: 0,
    found: {
      ...everywhere(['U01 info', 'C02 error', 'U01 error']),
      '1.17.3': ['U01 info', 'C02 error', 'P03 error', 'U01 error', 'V01 info'],
      '1.18.2': ['U01 info', 'C02 error', 'V01 info', 'U01 error'],
      '1.36.2': ['U01 info', 'C02 error', 'U01 error', 'V04 info'],
    },
    left: {
      ...everywhere(['U01 error']),
      '1.17.3': ['U01 error', 'V01 info'],
      '1.18.2': ['U01 error', 'V01 info'],
    },
  },
  'deleted-before-status': {fault: 100, found: {'1.17.3': madeUp}, every: 100},
  'exit-137-after-exit-0': {
    fault: 10_000,
    found: {'1.17.3': madeUp, '1.21.2': fallback, '1.26.5': fallback, '1.36.2': fallback},
    left: {'1.17.3': madeUp, '1.21.2': fallback, '1.26.5': fallback, '1.36.2': fallback},
  },
  'failed-becomes-succeeded': {fault: 7000, found: {'1.17.3': madeUp}},
  'fallback-exit-137': {fault: 13_000, found: {'1.17.3': madeUp, '1.21.2': fallback, '1.26.5': fallback, '1.36.2': fallback}},
  'final-error-on-retry': {
    fault: 0,
    found: {
      '1.17.3': ['U02 info', 'U02 error'],
      '1.18.2': ['U02 info', 'U02 warning', 'U02 error'],
      '1.21.2': ['U02 info', 'U02 warning', 'U02 error'],
      '1.26.5': ['U02 info', 'V11 info', 'V11 error'],
      '1.36.2': ['U02 info', 'V11 info', 'V11 error'],
    },
    left: {...everywhere(['U02 error']), '1.26.5': ['V11 error'], '1.36.2': ['V11 error']},
  },
  'publish-timeout-block': {
    fault: 0,
    found: {
      ...everywhere([...publishing, 'V11 info']),
      '1.17.3': [...publishing, 'V11 info', 'U02 error'],
      '1.26.5': [...publishing, ...waits, ...neverRan],
    },
    left: {'1.17.3': ['U02 error']},
  },
  'publish-timeout-filesystem': {
    fault: 0,
    found: {
      '1.17.3': [...orphan, 'V03 info', 'V01 error', 'V03 error'],
      '1.18.2': [...orphan, 'V03 info'],
      '1.21.2': [...waits, 'P01 error'],
      '1.26.5': [...waits, ...neverRan],
      '1.36.2': waits,
    },
    left: {'1.17.3': ['V01 error', 'V03 error'], '1.21.2': ['P01 error']},
  },
  'publish-without-stage': {
    fault: 0,
    found: {'1.21.2': [...removedUnread, 'V04 info']},
    left: {'1.21.2': ['V04 info']},
    unnamed: 'the driver refuses, and the next pod waits: the log tells why',
  },
  'reason-cache-blocks-deletion': {
    fault: 80_000,
    found: {'1.17.3': ['P01 info', 'P01 error'], '1.18.2': waits, '1.21.2': waits, '1.26.5': waits, '1.36.2': waits},
    left: {'1.17.3': ['P01 error']},
  },
  'restart-between-unpublish-and-unstage': {
    fault: 0,
    found: {...everywhere(['V04 info', 'V04 error']), '1.21.2': [...removedUnread, 'V04 info', 'V04 error']},
    left: everywhere(['V04 error']),
  },
  'stage-final-error': {
    fault: 0,
    found: {'1.17.3': orphan, '1.18.2': orphan, '1.26.5': waits},
    // Up to 1.18 the kubelet never removes the file that it has made before.
    left: {'1.17.3': orphan, '1.18.2': orphan},
    unnamed: 'nothing is to be undone',
  },
  'stage-timeout-block': {
    fault: 0,
    found: {
      ...everywhere([...staging, 'V04 info']),
      '1.17.3': [...staging, 'V04 info', 'U01 error'],
      '1.26.5': [...staging, ...waits],
    },
    left: {'1.17.3': ['U01 error']},
  },
  'stage-timeout-filesystem': {
    fault: 0,
    found: {
      '1.17.3': [...orphan, 'U01 error'],
      '1.18.2': orphan,
      '1.21.2': ['V04 info'],
      '1.26.5': [...staging, ...waits],
      '1.36.2': [...staging, 'V04 info'],
    },
    left: {'1.17.3': ['U01 error', ...orphan], '1.18.2': orphan},
  },
  'staging-dir-missing': {fault: 0, found: {'1.21.2': removedUnread}, unnamed: 'nothing of it is left on the node: the driver alone knows'},
  'status-channel-backlog': {fault: 99_500, found: {}, every: 60_000, unnamed: 'a status that is late by ten seconds may be on its way'},
  'status-head-of-line': {fault: 30_000, found: {}, unnamed: 'of readiness the kubelet tells nobody but the API server'},
  'success-without-status': {fault: 7000, found: {'1.17.3': madeUp, '1.26.5': neverRan, '1.36.2': neverRan}},
  'teardown-without-target': {
    fault: 0,
    found: {
      ...everywhere(['V04 info']),
      '1.17.3': ['V04 info', 'V04 error'],
      '1.26.5': ['V04 info', ...waits],
    },
    left: {'1.17.3': ['V04 error']},
  },
  'terminal-pod-still-running': {
    fault: 7000,
    found: {'1.17.3': madeUp},
  },
  'unpublish-without-target': {
    fault: 0,
    found: {
      ...everywhere([...publishing, 'V04 info']),
      '1.17.3': [...publishing, 'V04 info', 'U02 error'],
      '1.26.5': [...publishing, ...waits, ...neverRan],
    },
    left: {'1.17.3': ['U02 error']},
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
        found.some((each) => finding.codes.some((code) => each.startsWith(code))),
        name,
      ).toBe(true)
  }
})

/** What happens happens in the first minutes; then it grows old. */
const stepOf =
  ({every = 1000}: Row) =>
  (goneMs: number): number =>
    goneMs < 10_000 ? every : Math.max(every, goneMs < 300_000 ? 1000 : 10_000)

async function looksOf(scenario: Scenario, version: string, row: Row) {
  const seen: Finding[] = []
  const looked = new Set<string>()
  let early: Finding[] = []
  let last: readonly Finding[] = []
  await play(scenario, {
    profile: profileOf(version),
    seed: 1,
    startNode: (options) =>
      lookedAt(startLabNode(options), stepOf(row), (look) => {
        seen.push(...look.findings)
        last = look.findings
        for (const code of look.looked) looked.add(code)
        if (look.at < start + row.fault) early = [...early, ...look.findings]
      }),
  })
  return {seen, early, last, looked}
}

test.each(scenarios.flatMap((scenario) => profileVersions.map((version) => [scenario.name, version, scenario] as const)))(
  'detect() at each moment of %s on %s finds what is there, and no more',
  async (name, version, scenario) => {
    const row = rows[name] ?? {fault: 0, found: {}}
    const {seen, early, last, looked} = await looksOf(scenario, version, row)
    expect(early.map(({message}) => message)).toEqual([])
    expect(kindsOf(seen)).toEqual(row.found[version] ?? [])
    expect(kindsOf(last)).toEqual(row.left?.[version] ?? [])
    const volumes = ['C01', 'C02', 'U01', 'U02', 'V01', 'V02', 'V03', 'V04', 'V05', 'V06', 'V07', 'V09', 'V11']
    const pods = ['P01', 'P02', 'P03', 'P04', 'R01', 'R02', 'R03', 'R06', 'R10']
    expect([...looked]).toEqual(expect.arrayContaining(scenario.drivers.length > 0 ? [...pods, ...volumes] : pods))
  },
)
