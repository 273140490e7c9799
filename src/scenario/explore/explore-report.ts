// The report of an exploration, for programs and people.
import type {Profile} from '../../kubelet/profiles.ts'
import {start} from '../play.ts'
import {type Turn, turnText} from '../switched-profile.ts'
import type {Explored} from './explore-histories.ts'
import type {Finding} from './finding.ts'
import type {Family} from './generate/history.ts'
import {historyInFile} from './save/history-in-file.ts'

export interface ExploreReport {
  readonly apiVersion: 'kubelimbo/v1'
  readonly kind: 'ExploreReport'
  readonly metadata: {
    readonly tool: string
    readonly profile: string
    /** Those that were turned. */
    readonly switches: readonly string[]
    readonly seed: number
    readonly family: Family
  }
  readonly histories: number
  readonly findings: readonly FoundViolation[]
}

export interface FoundViolation {
  readonly invariant: string
  readonly how: string
  readonly what: string
  /** 'namespace/name', or absent: it is about a volume. */
  readonly pod?: string
  readonly container?: string
  /** The driver's handle of it. */
  readonly volume?: string
  /** Milliseconds from the start of the smallest history. */
  readonly at: number
  /** The smallest set that makes it pass; empty: none of the switches known does. */
  readonly switches: readonly string[]
  readonly otherSwitches: readonly (readonly string[])[]
  /** In how many histories it was seen. */
  readonly histories: number
  /** Shows it again. */
  readonly command: string
  /** The smallest history, with the seed that it is played with: parts of a scenario file. */
  readonly seed: number
  readonly history: Readonly<Record<string, unknown>>
}

export interface Circumstances {
  readonly tool: string
  readonly profile: Profile
  readonly turns: readonly Turn[]
  readonly family: Family
  readonly seed: number
}

export function exploreReport({histories, findings}: Explored, circumstances: Circumstances): ExploreReport {
  const {tool, profile, turns, seed, family} = circumstances
  return {
    apiVersion: 'kubelimbo/v1',
    kind: 'ExploreReport',
    metadata: {tool, profile: profile.version, switches: turns.map(turnText), seed, family},
    histories,
    findings: findings.map((finding) => foundViolation(finding, circumstances)),
  }
}

/** Shows again what a history with that seed has shown. */
export function commandOf(seed: number, {profile, turns, family}: Circumstances): string {
  const turned = turns.length === 0 ? '' : ` --switch ${turns.map(turnText).join(',')}`
  return `kubelimbo repro explore${family === 'volumes' ? ' --volumes' : ''} --profile ${profile.version}${turned} --seed ${seed} --runs 1`
}

function foundViolation(finding: Finding, circumstances: Circumstances): FoundViolation {
  const {violation, switches, otherSwitches, seed, histories, history} = finding
  const {invariant, how, what, pod, container, volume, at} = violation
  return {
    invariant,
    how,
    what,
    ...(pod === undefined ? {} : {pod}),
    ...(container === undefined ? {} : {container}),
    ...(volume === undefined ? {} : {volume}),
    at: at - start,
    switches,
    otherSwitches,
    histories,
    command: commandOf(seed, circumstances),
    seed: history.seed,
    history: historyInFile(history),
  }
}
