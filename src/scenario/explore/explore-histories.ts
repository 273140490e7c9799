// Plays random histories one after the other, and makes a finding of each new way in which one breaks an invariant.
import type {Profile} from '../../kubelet/profiles.ts'
import {type SwitchName, switches} from '../../kubelet/switches.ts'
import {volumeSwitches} from '../../kubelet/volume-switches.ts'
import {type Finding, kindOf} from './finding.ts'
import {type Family, randomHistory, seedOf} from './generate/history.ts'
import type {History} from './history.ts'
import type {Violation} from './invariant.ts'
import {nameViolation} from './naming.ts'
import {runHistory, type StartNode} from './run-history.ts'
import {shrink} from './shrink/shrink.ts'

const volumeNames = Object.values(volumeSwitches).map((each): SwitchName => each.name)

export interface Exploration {
  readonly profile: Profile
  readonly seed: number
  /** Default: pods. */
  readonly family?: Family
  readonly startNode: StartNode
  /** Asked before each history: is there to be one more? What is found in one does not depend on it. */
  readonly goesOn: (histories: number) => boolean
  /** Ends it at once: what was found before is told, the history that is being looked at is not. */
  readonly signal?: AbortSignal
  readonly onHistory?: (histories: number, findings: readonly Finding[]) => void
}

export interface Explored {
  readonly histories: number
  readonly findings: readonly Finding[]
  /** What the history breaks at which it was ended, as far as it was not looked at. */
  readonly cut?: Cut
}

export interface Cut {
  readonly seed: number
  readonly violations: readonly Violation[]
}

export async function exploreHistories({
  profile,
  seed,
  family = 'pods',
  startNode,
  goesOn,
  signal,
  onHistory,
}: Exploration): Promise<Explored> {
  const findings: Finding[] = []
  // Of one history that breaks several things much the same is tried for each of them.
  const played = new Map<string, readonly Violation[]>()
  const violationsOf = async (history: History, on: Profile): Promise<readonly Violation[]> => {
    const key = JSON.stringify([history, [...on.switches]])
    const known = played.get(key)
    if (known !== undefined) return known
    signal?.throwIfAborted()
    const {violations} = await runHistory(history, on, startNode)
    played.set(key, violations)
    return violations
  }
  const breaks = async (history: History, kind: string, on: Profile): Promise<Violation | undefined> =>
    (await violationsOf(history, on)).find((each) => kindOf(each) === kind)
  let left: readonly Violation[] = []
  const explore = async (history: History, ownSeed: number): Promise<void> => {
    played.clear()
    const violations = await violationsOf(history, profile)
    left = [...new Map(violations.map((each) => [kindOf(each), each])).values()]
    for (const kind of left.map(kindOf)) {
      const with_ = (set: readonly SwitchName[]): Profile => ({...profile, switches: new Set([...profile.switches, ...set])})
      const known = await findKnown(findings, kind, async (set) => (await breaks(history, kind, with_(set))) === undefined)
      if (known !== undefined) {
        known.histories++
        left = left.slice(1)
        continue
      }
      const {history: small} = await shrink(history, async (smaller) => (await breaks(smaller, kind, profile)) !== undefined)
      const passes = async (on: Profile): Promise<boolean> => {
        // By luck, with other random times, is not passing.
        for (const luck of [0, 1, 2]) if (await breaks({...small, seed: small.seed + luck}, kind, on)) return false
        return true
      }
      const [mending = [], ...otherSwitches] = await nameViolation(profile, passes, family === 'volumes' ? volumeNames : [])
      const same = findings.find((each) => kindOf(each.violation) === kind && `${each.switches}` === `${mending}`)
      if (same !== undefined) same.histories++
      else {
        const violation = (await breaks(small, kind, profile)) as Violation
        findings.push({violation, switches: mending, otherSwitches, seed: ownSeed, histories: 1, history: small})
      }
      left = left.slice(1)
    }
  }
  const isStopped = (): boolean => signal?.aborted === true
  let histories = 0
  for (; !isStopped() && goesOn(histories); histories++) {
    const ownSeed = seedOf(seed, histories)
    try {
      await explore(randomHistory(ownSeed, family), ownSeed)
    } catch (error) {
      if (!isStopped() || error !== signal?.reason) throw error
      return {histories, findings, ...(left.length === 0 ? {} : {cut: {seed: ownSeed, violations: left}})}
    }
    onHistory?.(histories + 1, findings)
  }
  return {histories, findings}
}

const all = Object.values(switches).map((each): SwitchName => each.name)

/** One of the same kind whose switches make this one pass, too. */
async function findKnown(
  findings: readonly Finding[],
  kind: string,
  passesWith: (set: readonly SwitchName[]) => Promise<boolean>,
): Promise<Finding | undefined> {
  for (const finding of findings) {
    if (kindOf(finding.violation) !== kind) continue
    // What no switch mends is the same as what no switch mended before.
    const mended = finding.switches.length > 0
    if ((await passesWith(mended ? finding.switches : all)) === mended) return finding
  }
  return undefined
}
