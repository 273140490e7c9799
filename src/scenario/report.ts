// The report of `repro`. Its shape is published: fixtures/schema/repro.json.
import type {BoundClaim} from '../kubelet/pod.ts'
import type {Profile} from '../kubelet/profiles.ts'
import type {Event} from '../timeline/event.ts'
import {namingOf} from './check-names-it.ts'
import type {CheckedExpectation, Judged, Verdict} from './judge.ts'
import type {Look} from './look-in-passing.ts'
import {owedCalls, type VolumeAnswer} from './owed-calls.ts'
import {type Played, start, usualSeed} from './play.ts'
import type {NamingFinding} from './schema/finding.ts'
import type {Expected, Scenario} from './schema/scenario.ts'
import {type Turn, turnText} from './switched-profile.ts'

export interface ReproReport {
  readonly apiVersion: 'kubelimbo/v1'
  readonly kind: 'ReproReport'
  readonly metadata: {
    readonly tool: string
    readonly seed: number
    readonly switches: readonly string[]
    /** Absent: the whole node was in memory, and its time simulated. */
    readonly real?: RealNode
  }
  /** Each bug showed where it should, and nowhere else. */
  readonly met: boolean
  readonly scenarios: readonly ScenarioReport[]
}

/** What of the node was not the lab's own. Nobody ran `check` there. */
export interface RealNode {
  readonly runtimeEndpoint?: string
  readonly csiEndpoint?: string
  /** Of its containers, where it was named. */
  readonly image?: string
  /** How many of the kubelet's seconds passed in one. */
  readonly scale: number
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
  /** A real kubelet of this version was watched; else its timings follow the sources. */
  readonly observed: boolean
  readonly verdict: Verdict
  readonly met: boolean
  readonly why: string
  /** Not what is expected, but all that is expected of other kubelets: with a switch turned, it is what the switch does. */
  readonly showed?: Expected['verdict']
  readonly given: readonly ExpectationReport[]
  readonly expectations: readonly ExpectationReport[]
  /** Of a verdict that is not the expected one: rules that no call was hit by. Absent where there are none. */
  readonly idleRules?: readonly string[]
  /** What `check` says of the node; absent when the scenario names no finding. */
  readonly check?: CheckLook
  /** Only with -v. Moments are milliseconds from the start. */
  readonly timeline?: readonly Event[]
  /** With the timeline, where there are volumes: what each answer of a driver left owed. */
  readonly answers?: readonly VolumeAnswer[]
}

export interface ExpectationReport {
  readonly what: string
  readonly held: boolean
  readonly why: string
  /** Of what decided it, in milliseconds from the start. */
  readonly at?: number
}

export interface CheckLook {
  /** When it looked, in milliseconds from the start. */
  readonly at: number
  /** Each of these names the bug. */
  readonly codes: readonly string[]
  /** It is among the findings. */
  readonly named: boolean
  /** Those that name it first. */
  readonly findings: readonly {readonly code: string; readonly severity: string; readonly message: string}[]
}

export interface ScenarioRuns {
  readonly scenario: Scenario
  readonly seed: number
  readonly runs: readonly {
    readonly profile: Profile
    readonly judged: Judged
    /** With the volumes that they had. */
    readonly claims: readonly BoundClaim[]
    readonly look?: Look
    readonly record?: Played
  }[]
}

interface Circumstances {
  readonly tool: string
  readonly turns: readonly Turn[]
  readonly real?: RealNode
}

export function reproReport(played: readonly ScenarioRuns[], {tool, turns, real}: Circumstances): ReproReport {
  const scenarios = played.map(({scenario, seed, runs}) => {
    const {name, label, title, why, issues, finding} = scenario
    const reports = runs.map(({profile, judged, claims, look, record}) => ({
      ...runReport(profile, judged),
      ...(finding === undefined || look === undefined ? {} : {check: checkLook(finding, look)}),
      ...(record === undefined ? {} : {timeline: record.events.map(fromStart), ...answersOf(record, claims)}),
    }))
    return {name, label, title, why, issues, seed, runs: reports}
  })
  const seeds = new Set(played.map(({seed}) => seed))
  const [common = usualSeed] = seeds.size === 1 ? seeds : []
  return {
    apiVersion: 'kubelimbo/v1',
    kind: 'ReproReport',
    metadata: {tool, seed: common, switches: turns.map(turnText), ...(real && {real: realNode(real)})},
    met: scenarios.every(({runs}) => runs.every((run) => run.met)),
    scenarios,
  }
}

function realNode({runtimeEndpoint, csiEndpoint, image, scale}: RealNode): RealNode {
  return {
    ...(runtimeEndpoint !== undefined && {runtimeEndpoint}),
    ...(csiEndpoint !== undefined && {csiEndpoint}),
    ...(image !== undefined && {image}),
    scale,
  }
}

function runReport({version, observed}: Profile, {expected, verdict, met, why, showed, given, expectations, idleRules}: Judged): RunReport {
  return {
    profile: version,
    observed,
    expected,
    verdict,
    met,
    why,
    ...(showed === undefined ? {} : {showed}),
    given: given.map(expectationReport),
    expectations: expectations.map(expectationReport),
    ...(idleRules.length === 0 ? {} : {idleRules}),
  }
}

function checkLook(finding: NamingFinding, look: Look): CheckLook {
  const naming = namingOf(finding, look.findings)
  const others = look.findings.filter((each) => !naming.includes(each))
  const findings = [...naming, ...others].map(({code, severity, message}) => ({code, severity, message}))
  return {at: look.at - start, codes: finding.codes, named: naming.length > 0, findings}
}

function expectationReport({what, held, why, event}: CheckedExpectation): ExpectationReport {
  return {what, held, why, ...(event === undefined ? {} : {at: event.at - start})}
}

function answersOf({events, end}: Played, claims: readonly BoundClaim[]): Pick<RunReport, 'answers'> {
  const answers = owedCalls(events, claims, end).map(answerFromStart)
  return answers.length === 0 ? {} : {answers}
}

function answerFromStart({at, owed, ...answer}: VolumeAnswer): VolumeAnswer {
  if (owed === undefined) return {...answer, at: at - start}
  const {method, path, ...moments} = owed
  const fromStarts = Object.fromEntries(Object.entries(moments).map(([name, moment]) => [name, moment - start]))
  return {...answer, at: at - start, owed: {method, path, since: owed.since - start, ...fromStarts}}
}

function fromStart(event: Event): Event {
  const at = event.at - start
  if (event.kind !== 'call' || event.endedAt === undefined) return {...event, at}
  return {...event, at, endedAt: event.endedAt - start}
}
