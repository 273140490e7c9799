// The report of `repro`. Its shape is published: fixtures/schema/repro.json.
import type {Profile} from '../kubelet/profiles.ts'
import type {Event} from '../timeline/event.ts'
import type {CheckedExpectation, Judged, Verdict} from './judge.ts'
import {type Played, start, usualSeed} from './play.ts'
import type {Expected, Scenario} from './schema/scenario.ts'
import type {Turn} from './switched-profile.ts'

export interface ReproReport {
  readonly apiVersion: 'kubelimbo/v1'
  readonly kind: 'ReproReport'
  readonly metadata: {readonly tool: string; readonly seed: number; readonly switches: readonly string[]}
  /** Each bug showed where it should, and nowhere else. */
  readonly met: boolean
  readonly scenarios: readonly ScenarioReport[]
}

export interface ScenarioReport {
  readonly name: string
  readonly label: string
  readonly title: string
  readonly why: string
  readonly issues: readonly string[]
  readonly seed: number
  readonly runs: readonly RunReport[]
}

export interface RunReport {
  readonly profile: string
  readonly expected: Expected['verdict']
  readonly verdict: Verdict
  readonly met: boolean
  readonly why: string
  readonly given: readonly ExpectationReport[]
  readonly expectations: readonly ExpectationReport[]
  /** Only with -v. Moments are milliseconds from the start. */
  readonly timeline?: readonly Event[]
}

export interface ExpectationReport {
  readonly what: string
  readonly held: boolean
  readonly why: string
  /** Of what decided it, in milliseconds from the start. */
  readonly at?: number
}

export interface ScenarioRuns {
  readonly scenario: Scenario
  readonly seed: number
  readonly runs: readonly {readonly profile: Profile; readonly judged: Judged; readonly record?: Played}[]
}

interface Circumstances {
  readonly tool: string
  readonly turns: readonly Turn[]
}

export function reproReport(played: readonly ScenarioRuns[], {tool, turns}: Circumstances): ReproReport {
  const scenarios = played.map(({scenario: {name, label, title, why, issues}, seed, runs}) => ({
    name,
    label,
    title,
    why,
    issues,
    seed,
    runs: runs.map(({profile, judged, record}) => runReport(profile, judged, record)),
  }))
  const seeds = new Set(played.map(({seed}) => seed))
  const [common = usualSeed] = seeds.size === 1 ? seeds : []
  return {
    apiVersion: 'kubelimbo/v1',
    kind: 'ReproReport',
    metadata: {tool, seed: common, switches: turns.map((turn) => `${turn.on ? '+' : '-'}${turn.name}`)},
    met: scenarios.every(({runs}) => runs.every((run) => run.met)),
    scenarios,
  }
}

function runReport({version}: Profile, {expected, verdict, met, why, given, expectations}: Judged, record: Played | undefined): RunReport {
  const timeline = record === undefined ? {} : {timeline: record.events.map(fromStart)}
  return {
    profile: version,
    expected,
    verdict,
    met,
    why,
    given: given.map(expectationReport),
    expectations: expectations.map(expectationReport),
    ...timeline,
  }
}

function expectationReport({what, held, why, event}: CheckedExpectation): ExpectationReport {
  return {what, held, why, ...(event === undefined ? {} : {at: event.at - start})}
}

function fromStart(event: Event): Event {
  const at = event.at - start
  if (event.kind !== 'call' || event.endedAt === undefined) return {...event, at}
  return {...event, at, endedAt: event.endedAt - start}
}
