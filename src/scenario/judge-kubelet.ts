// The verdict on a kubelet of which nobody says what it is: it did as is expected of kubelets that have the bug, or as of those that have not. Nothing here knows its version.
import {check} from './expect/check.ts'
import {expectationWords} from './expect/expectation-words.ts'
import type {Checked, RunRecord} from './expect/run-record.ts'
import type {Played} from './play.ts'
import type {Expectation} from './schema/expectation.ts'
import type {Expected, Scenario} from './schema/scenario.ts'

export type KubeletVerdict = 'has the bug' | 'does not have it' | 'inconclusive'

export interface JudgedKubelet {
  readonly verdict: KubeletVerdict
  /** One sentence: what decided it. */
  readonly why: string
  readonly given: readonly NamedCheck[]
  /** Of what is expected of one kind of kubelets, by the scenario's key: '1.17.3', 'default'. */
  readonly like: readonly Likeness[]
}

export interface NamedCheck extends Checked {
  readonly what: string
}

export interface Likeness {
  readonly key: string
  readonly verdict: Expected['verdict']
  readonly expectations: readonly NamedCheck[]
  readonly held: boolean
}

const words: Readonly<Record<Expected['verdict'], KubeletVerdict>> = {reproduced: 'has the bug', fixed: 'does not have it'}

export function judgeKubelet(scenario: Scenario, played: Played): JudgedKubelet {
  const given = checkAll(scenario.given, played)
  const like = Object.entries(scenario.expect).map(([key, {verdict, that}]): Likeness => {
    const expectations = checkAll(that, played)
    return {key, verdict, expectations, held: expectations.every(({held}) => held)}
  })
  const judged = {given, like}
  const inconclusive = (why: string): JudgedKubelet => ({...judged, verdict: 'inconclusive', why})
  const [failure] = played.failures
  if (failure !== undefined) return inconclusive(failure)
  const unmet = given.find(({held}) => !held)
  if (unmet !== undefined) return inconclusive(`what triggers it did not happen: ${told(unmet)}`)
  const held = like.filter((each) => each.held)
  const [first, ...others] = held
  if (first === undefined) return inconclusive(`it did neither as kubelets with the bug nor as others: ${like.map(broken).join('; ')}`)
  if (others.some(({verdict}) => verdict !== first.verdict))
    return inconclusive('it did as is expected of both, so that nothing tells them apart')
  const [decisive] = first.expectations
  return {...judged, verdict: words[first.verdict], why: decisive === undefined ? '' : told(decisive)}
}

/** Nothing more is to be waited for than what must not happen. */
export function isDecided({given, expect}: Scenario, record: RunRecord): boolean {
  const hold = (each: readonly Expectation[]) => each.every((one) => check(one, record).held)
  return hold(given) && Object.values(expect).some(({that}) => hold(that))
}

const told = ({what, why}: NamedCheck): string => (what === why ? what : `${what}: ${why}`)

function broken({key, verdict, expectations}: Likeness): string {
  const first = expectations.find(({held}) => !held)
  return `of ${key} (${verdict}) is expected: ${first === undefined ? '' : told(first)}`
}

function checkAll(expectations: readonly Expectation[], record: RunRecord): readonly NamedCheck[] {
  return expectations.map((each) => ({what: each.what ?? expectationWords(each), ...check(each, record)}))
}
