// Plays the steps of a scenario at a node of the lab, in simulated time.
import {firstLine} from '../base/errors.ts'
import type {Profile} from '../kubelet/profiles.ts'
import type {LabNode, LabOptions} from '../lab/lab-node.ts'
import {type Action, actionsOf, ruleWords} from './act.ts'
import {claimsOf} from './claims.ts'
import {matcherWords} from './expect/matcher-words.ts'
import {type RunRecord, secondsOf, since} from './expect/run-record.ts'
import {type Look, lookInPassing} from './look-in-passing.ts'
import type {Scenario} from './schema/scenario.ts'
import type {Step} from './schema/step.ts'
import {waitFor} from './wait-for.ts'

export interface Played extends RunRecord {
  /** Steps that could not be done: what was to be shown was not tried. */
  readonly failures: readonly string[]
  /** By how much the kubelet came too late for something, at most: where time does not wait for it, its verdict may be a matter of that. */
  readonly lateMs?: number
  /** What a check found there; absent when the scenario names no finding, or its moment did not come. */
  readonly look?: Look
}

export interface PlayOptions {
  readonly profile: Profile
  readonly seed: number
  /** Milliseconds since 1970. Default: when all runs begin. */
  readonly from?: number
  readonly startNode: (options: LabOptions) => LabNode | Promise<LabNode>
  /** Where time is real: nothing more is to be waited for than what may come soon. Default: the run goes on to its end. */
  readonly isOver?: (soFar: RunRecord) => boolean
}

/** When all runs begin: a whole second, and the same in every run. */
export const start = Date.UTC(2026, 0, 1)

/** When nobody says. */
export const usualSeed = 1

/** How long an event is waited for when the step does not say. */
const patience = 60_000

export async function play(scenario: Scenario, {profile, seed, from = start, startNode, isOver}: PlayOptions): Promise<Played> {
  const {rules, kubelet, until, drivers} = scenario
  const end = from + until
  const own = await startNode({
    profile,
    seed,
    start: from,
    rules,
    drivers,
    claims: claimsOf(scenario),
    ...(kubelet === undefined ? {} : {config: kubelet}),
  })
  try {
    return await playOn(own, scenario, {start: from, end, ...(isOver && {isOver})})
  } finally {
    await own.end?.()
  }
}

interface Span extends Pick<PlayOptions, 'isOver'> {
  readonly start: number
  readonly end: number
}

async function playOn(own: LabNode, scenario: Scenario, span: Span): Promise<Played> {
  const {start: from, isOver} = span
  let {end} = span
  const {rules, steps, finding} = scenario
  const watched = finding === undefined ? undefined : lookInPassing(own, {start: from, end, ...finding})
  const node = watched?.node ?? own
  const failures: string[] = []
  const fail = (step: Step, why: string) => {
    if (!step.optional) failures.push(why)
  }
  for (const rule of rules) node.timeline.step({text: `begin with ${ruleWords(rule)}`})
  // What a step brings about at once is after it.
  let seen = 0
  for (const step of steps) {
    const due = await dueAt(step, node, span, seen)
    if (typeof due === 'string') {
      fail(step, due)
      continue
    }
    if (due > end) {
      fail(step, `${actionsOf(step, scenario)[0]?.text ?? 'a step'} was due after the end`)
      continue
    }
    await node.run(due)
    seen = node.timeline.events.length
    for (const {text, act} of actionsOf(step, scenario)) {
      node.timeline.step({text})
      done(node, act).catch((error: unknown) => fail(step, `${text} ${since({start: from}, due)}: ${codeOf(error)}`))
    }
  }
  if (isOver !== undefined) end = await soonAfter(() => isOver({events: node.timeline.events, start: from, end: node.now()}), node, end)
  await node.run(end)
  const look = watched?.look()
  // What its end does to calls that are open is no part of the run.
  const events = node.timeline.events.map((event) => (event.kind === 'call' && event.endedAt === undefined ? {...event} : event))
  const late = node.late && {lateMs: node.late()}
  return {events, start: from, end, failures, ...late, ...(look === undefined ? {} : {look})}
}

/** The moment of a step; or that its event did not come, once the time for it is over. */
async function dueAt(
  {at, after, plus = 0, within = patience}: Step,
  node: LabNode,
  {start: from, end}: Span,
  seen: number,
): Promise<number | string> {
  if (after === undefined) return Math.max(node.now(), from + (at ?? 0) + plus)
  const last = Math.min(node.now() + within, end)
  const happened = await waitFor(after, node, last, seen)
  if (happened !== undefined) return Math.max(node.now(), happened + plus)
  return `${matcherWords(after)} did not happen by ${secondsOf(last - from)}, and a step waited for it`
}

/** What must not happen has that long to happen. */
const soon = 20_000
const lookEvery = 1000

async function soonAfter(isOver: () => boolean, node: LabNode, latest: number): Promise<number> {
  while (node.now() < latest && !isOver()) await node.run(Math.min(node.now() + lookEvery, latest))
  return Math.min(node.now() + soon, latest)
}

/** What it throws at once and what is answered later are one to whoever asks. */
async function done(node: LabNode, act: Action['act']): Promise<void> {
  await act(node)
}

function codeOf(error: unknown): string {
  const code = (error as {readonly code?: unknown} | undefined)?.code
  return typeof code === 'string' ? code : firstLine(error)
}
