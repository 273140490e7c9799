// The report of `repro --kubelet`.
import type {Event} from '../timeline/event.ts'
import type {KubeletVerdict, NamedCheck} from './judge-kubelet.ts'
import type {PlayedOnKubelet} from './play-on-kubelet.ts'
import type {Expected, Scenario} from './schema/scenario.ts'

export interface KubeletReport {
  readonly apiVersion: 'kubelimbo/v1'
  readonly kind: 'KubeletReport'
  readonly metadata: {readonly tool: string}
  readonly kubelets: readonly PlayedKubelet[]
  readonly scenarios: readonly KubeletScenarioReport[]
}

export interface PlayedKubelet {
  readonly path: string
  /** What it says of itself: 'v1.17.3'. No verdict depends on it. */
  readonly version: string
}

export interface KubeletScenarioReport {
  readonly name: string
  readonly label: string
  readonly title: string
  readonly issues: readonly string[]
  /** In the order of the kubelets. */
  readonly runs: readonly KubeletRunReport[]
}

export interface KubeletRunReport {
  readonly verdict: KubeletVerdict
  /** One sentence: what decided it. */
  readonly why: string
  readonly given: readonly CheckReport[]
  /** What is expected of kubelets with the bug, and of those without it. */
  readonly like: readonly {readonly of: string; readonly verdict: Expected['verdict']; readonly expectations: readonly CheckReport[]}[]
  /** Of a kubelet that ended by itself: its last lines. */
  readonly log?: readonly string[]
  /** Only with -v. Moments are milliseconds from the start. */
  readonly timeline?: readonly Event[]
}

interface CheckReport {
  readonly what: string
  readonly held: boolean
  readonly why: string
}

export function kubeletScenarioReport(
  {name, label, title, issues}: Scenario,
  played: readonly PlayedOnKubelet[],
  timelines: boolean,
): KubeletScenarioReport {
  const runs = played.map(
    ({verdict, why, given, like, timeline, log}): KubeletRunReport => ({
      verdict,
      why,
      given: given.map(checkReport),
      like: like.map(({key, verdict: of, expectations}) => ({of: key, verdict: of, expectations: expectations.map(checkReport)})),
      ...(log && {log}),
      ...(timelines && {timeline}),
    }),
  )
  return {name, label, title, issues, runs}
}

const checkReport = ({what, held, why}: NamedCheck): CheckReport => ({what, held, why})
