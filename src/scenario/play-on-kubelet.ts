// Plays a scenario on a real kubelet, in real time, and judges it. A kubelet that does not come up or ends by itself is no verdict.
import type {Clock} from '../base/clock.ts'
import {UserError} from '../base/errors.ts'
import {onAbort} from '../base/on-abort.ts'
import {profileOf, profileVersions} from '../kubelet/profiles.ts'
import type {KubeletVersion} from '../lab/real-kubelet/kubelet-version.ts'
import {type RealKubeletNode, startRealKubeletNode} from '../lab/real-kubelet/real-kubelet-node.ts'
import type {Event} from '../timeline/event.ts'
import {claimsOf} from './claims.ts'
import {isDecided, type JudgedKubelet, judgeKubelet} from './judge-kubelet.ts'
import {play, usualSeed} from './play.ts'
import type {Scenario} from './schema/scenario.ts'

export interface KubeletPlay {
  readonly binary: string
  readonly version: KubeletVersion
  readonly clock: Clock
  /** Where there may be a folder: its path is part of those of sockets. */
  readonly temporary: string
  readonly signal: AbortSignal
}

export interface PlayedOnKubelet extends JudgedKubelet {
  /** Moments are milliseconds from the start. */
  readonly timeline: readonly Event[]
  /** Of an end that nobody wanted: the last lines of its log. */
  readonly log?: readonly string[]
}

/** @throws what the signal was aborted with; a UserError when something of the run is left */
export async function playOnKubelet(scenario: Scenario, options: KubeletPlay): Promise<PlayedOnKubelet> {
  const {signal} = options
  const {rules, drivers, kubelet: config, seed = usualSeed} = scenario
  let own: RealKubeletNode
  try {
    own = await startRealKubeletNode({...options, seed, rules, drivers, claims: claimsOf(scenario), ...(config && {config})})
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof UserError)) throw error
    return {...unjudged(error.message), timeline: []}
  }
  await using _ = {[Symbol.asyncDispose]: own.end}
  const {node, died} = own
  const {end: __, ...lasting} = node
  const start = node.now()
  const played = play(scenario, {
    // Of what the lab's own kubelet would be: here it is none.
    profile: profileOf(profileVersions.at(-1) ?? ''),
    seed,
    from: start,
    startNode: () => lasting,
    isOver: (soFar) => isDecided(scenario, soFar),
  })
  const stopped = Promise.withResolvers<never>()
  const stay = onAbort(signal, () => stopped.reject(signal.reason))
  const ended = await Promise.race([played, died.then((log) => ({log})), stopped.promise]).finally(stay)
  const timeline = node.timeline.events.filter(({at}) => at >= start).map((event) => fromStart(event, start))
  if ('log' in ended) return {...unjudged(`the kubelet ended by itself: ${ended.log.at(-1)}`), timeline, log: ended.log}
  return {...judgeKubelet(scenario, ended), timeline}
}

const unjudged = (why: string): JudgedKubelet => ({verdict: 'inconclusive', why, given: [], like: []})

function fromStart(event: Event, start: number): Event {
  const at = event.at - start
  return event.kind === 'call' && event.endedAt !== undefined ? {...event, at, endedAt: event.endedAt - start} : {...event, at}
}
