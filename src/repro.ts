// Plays scenarios on the behaviour model, each on some kubelets, and says whether each bug showed where it should.

import {formatDuration} from './base/duration.ts'
import type {Profile} from './kubelet/profiles.ts'
import {type LabOptions, startLabNode} from './lab/lab-node.ts'
import {startSocketNode} from './lab/wire/socket-node.ts'
import {claimsOf} from './scenario/claims.ts'
import {judge} from './scenario/judge.ts'
import {play, usualSeed} from './scenario/play.ts'
import type {PlayedOnReal, RealPlay} from './scenario/play-on-real.ts'
import {type ReproReport, reproReport, type ScenarioRuns} from './scenario/report.ts'
import type {Scenario} from './scenario/schema/scenario.ts'
import {scenariosNamed, shippedScenarios} from './scenario/shipped.ts'
import {parseTurns, switchedProfile} from './scenario/switched-profile.ts'
import {wholeRun} from './scenario/whole-run.ts'

export interface ReproRequest {
  /** Scenarios or files; none: all that are shipped. */
  readonly names: readonly string[]
  /** '1.17.3,1.18.2'; absent: those that a scenario names, or these two. */
  readonly profiles?: string
  /** '+name,-name' */
  readonly turns?: string
  /** Absent: that of the scenario, or else 1. */
  readonly seed?: number
  /** The kubelet reaches the lab's servers by sockets, in folders below this one. Absent: it calls them directly. */
  readonly socketsBelow?: string
  /** Parts of the node that are real, and the time with them. */
  readonly real?: RealPlay
  /** Hears what is played next: in real time that takes a while. */
  readonly onRun?: (words: string) => void
  /** With the timelines of the runs. */
  readonly timelines: boolean
  /** 'kubelimbo 0.1.0'. */
  readonly tool: string
}

const usual = ['1.17.3', '1.18.2'] as const

/** @throws UserError for what is wrong with the request or a file, or when a real part cannot be used */
export async function repro(request: ReproRequest): Promise<ReproReport> {
  const {real} = request
  const named = request.names.length === 0 ? await shippedScenarios() : await scenariosNamed(request.names)
  const scenarios = real === undefined ? named : named.map(withoutLook)
  const turns = request.turns === undefined ? [] : parseTurns(request.turns)
  const asked = request.profiles === undefined ? undefined : versionsIn(request.profiles).map((version) => switchedProfile(version, turns))
  const playOne = playedBy(request)
  const played: ScenarioRuns[] = []
  // One after the other: a run has the event loop for itself.
  for (const scenario of scenarios) {
    const profiles = asked ?? (scenario.profiles ?? usual).map((version) => switchedProfile(version, turns))
    const seed = request.seed ?? scenario.seed ?? usualSeed
    const runs: ScenarioRuns['runs'][number][] = []
    for (const profile of profiles) {
      request.onRun?.(`${scenario.name} on ${profile.version}: ${formatDuration(scenario.until / (real?.scale ?? 1))}`)
      const {scenario: own, record} = await wholeRun(`the scenario '${scenario.name}' on ${profile.version}`, () =>
        playOne(scenario, {profile, seed}),
      ).catch((error) => {
        real?.signal.throwIfAborted()
        throw error
      })
      const {look} = record
      runs.push({
        profile,
        judged: judge(own, profile, record),
        claims: claimsOf(own),
        ...(look === undefined ? {} : {look}),
        // Of thousands of pods it is large: it is kept for those who asked.
        ...(request.timelines ? {record} : {}),
      })
    }
    played.push({scenario, seed, runs})
  }
  return reproReport(played, {tool: request.tool, turns, ...(real && {real})})
}

interface Circumstances {
  readonly profile: Profile
  readonly seed: number
}

function playedBy({socketsBelow, real}: ReproRequest): (scenario: Scenario, circumstances: Circumstances) => Promise<PlayedOnReal> {
  if (real !== undefined) {
    return async (scenario, circumstances) => {
      const {playOnReal} = await import('./scenario/play-on-real.ts')
      return playOnReal(scenario, {...circumstances, real})
    }
  }
  const startNode = socketsBelow === undefined ? startLabNode : (options: LabOptions) => startSocketNode(options, socketsBelow)
  return async (scenario, circumstances) => ({scenario, record: await play(scenario, {...circumstances, startNode})})
}

/** What `check` would say of a node whose parts are real is for `check` itself. */
function withoutLook({finding: _, ...scenario}: Scenario): Scenario {
  return scenario
}

/** Who names one twice wants it once. */
const versionsIn = (text: string): readonly string[] => [...new Set(text.split(',').map((version) => version.trim()))]
