// The report of `exam`. Its shape is published: fixtures/schema/exam.json.

import type {Event} from '../timeline/event.ts'
import type {CheckedExpectation, Judged} from './judge.ts'
import {type Played, start} from './play.ts'
import type {Scenario} from './schema/scenario.ts'

/** 'failed': the driver did what a kubelet cannot live with. 'inconclusive': what the case is about did not come about. */
export type ExamVerdict = 'passed' | 'failed' | 'inconclusive' | 'not tried'

export interface ExamReport {
  readonly apiVersion: 'kubelimbo/v1'
  readonly kind: 'ExamReport'
  readonly metadata: {
    readonly tool: string
    readonly endpoint: string
    /** As it calls itself. */
    readonly driver: string
    readonly version: string
    readonly capabilities: readonly string[]
    /** The kubelet that asked. */
    readonly kubelet: string
    /** How many of the kubelet's seconds passed in one: its two minutes of patience were that much shorter. */
    readonly scale: number
    readonly seed: number
  }
  readonly passed: boolean
  readonly cases: readonly ExamCase[]
}

export interface ExamCase {
  readonly name: string
  readonly volumeMode: 'Filesystem' | 'Block'
  readonly title: string
  readonly why: string
  readonly issues: readonly string[]
  readonly verdict: ExamVerdict
  /** What decided it, in a sentence. */
  readonly because: string
  readonly expectations: readonly {readonly what: string; readonly held: boolean; readonly why: string}[]
  /** What the driver was asked and what it answered. Moments are the kubelet's milliseconds from the start of the case. */
  readonly calls: readonly ExamCall[]
  /** Only with -v. */
  readonly timeline?: readonly Event[]
}

export interface ExamCall {
  readonly at: number
  readonly method: string
  readonly outcome: string
  readonly took?: number
  /** What was done to it on the way. */
  readonly fault?: string
}

export interface ExamRun {
  readonly scenario: Scenario
  readonly volumeMode: ExamCase['volumeMode']
  readonly ran: {readonly judged: Judged; readonly record: Played} | {readonly notTried: string}
}

/** A driver that was asked nothing has passed nothing. */
export function examReport(runs: readonly ExamRun[], metadata: ExamReport['metadata'], timelines: boolean): ExamReport {
  const cases = runs.map((run) => examCase(run, timelines))
  const tried = cases.filter(({verdict}) => verdict !== 'not tried')
  return {
    apiVersion: 'kubelimbo/v1',
    kind: 'ExamReport',
    metadata,
    passed: tried.length > 0 && tried.every(({verdict}) => verdict === 'passed'),
    cases,
  }
}

function examCase({scenario: {name, title, why, issues}, volumeMode, ran}: ExamRun, timelines: boolean): ExamCase {
  const about = {name, volumeMode, title, why, issues}
  if ('notTried' in ran) return {...about, verdict: 'not tried', because: ran.notTried, expectations: [], calls: []}
  const {judged, record} = ran
  const calls = callsOf(record.events)
  const gone = judged.met ? undefined : goneSince(record.events)
  return {
    ...about,
    verdict: gone === undefined ? verdictOf(judged) : 'inconclusive',
    because: gone === undefined ? judged.why : `the driver is gone: its socket has not been of use since ${(gone / 1000).toFixed(1)} s`,
    expectations: [...judged.given, ...judged.expectations].map(({what, held, why: reason}: CheckedExpectation) => ({
      what,
      held,
      why: reason,
    })),
    calls,
    ...(timelines ? {timeline: record.events.map((event) => ({...event, at: event.at - start}))} : {}),
  }
}

/** Of a driver that died on the way: its last calls got nowhere, and nothing that was done to them is why. */
function goneSince(events: readonly Event[]): number | undefined {
  const calls = events.flatMap((event) => (event.kind === 'call' && event.to === 'csi' ? [event] : []))
  const alive = calls.findLastIndex(({outcome, fault}) => outcome !== 'UNAVAILABLE' || fault !== undefined)
  const last = calls.slice(alive + 1)
  const [first] = last
  return first === undefined || last.length < 3 ? undefined : first.at - start
}

function verdictOf({met, verdict}: Judged): ExamVerdict {
  if (met) return 'passed'
  return verdict === 'inconclusive' ? 'inconclusive' : 'failed'
}

function callsOf(events: readonly Event[]): readonly ExamCall[] {
  return events.flatMap((event): readonly ExamCall[] => {
    if (event.kind !== 'call' || event.to !== 'csi' || event.method === 'NodeGetCapabilities') return []
    const {at, method, outcome = 'no answer', endedAt, fault} = event
    return [
      {at: at - start, method, outcome, ...(endedAt === undefined ? {} : {took: endedAt - at}), ...(fault === undefined ? {} : {fault})},
    ]
  })
}
