// The verdict of one run: what was expected of its kubelet, and whether it came.
import type {Profile} from '../kubelet/profiles.ts'
import {checkNamesIt} from './check-names-it.ts'
import {check} from './expect/check.ts'
import {expectationWords} from './expect/expectation-words.ts'
import {type Checked, type RunRecord, secondsOf} from './expect/run-record.ts'
import type {Played} from './play.ts'
import type {Expectation} from './schema/expectation.ts'
import {type Expected, type Scenario, versionsOf} from './schema/scenario.ts'
import {toldOnce} from './told-once.ts'

export type Verdict = 'reproduced' | 'fixed' | 'not reproduced' | 'not fixed' | 'inconclusive'

export interface Judged {
  readonly expected: Expected['verdict']
  readonly verdict: Verdict
  /** The verdict is the expected one. */
  readonly met: boolean
  /** One sentence: what decided it. */
  readonly why: string
  /** It did all that is expected of other kubelets: a switch may have been turned. */
  readonly showed?: Expected['verdict']
  readonly given: readonly CheckedExpectation[]
  readonly expectations: readonly CheckedExpectation[]
  /** Rules that no call was hit by, where the verdict is not the expected one: they may be why. */
  readonly idleRules: readonly string[]
}

export interface CheckedExpectation extends Checked {
  readonly what: string
}

export function judge(scenario: Scenario, profile: Profile, played: Played): Judged {
  const judged = unlessLate(verdictOf(scenario, profile, played), played)
  const idle = judged.met ? [] : idleRules(scenario, played)
  if (idle.length === 0) return {...judged, idleRules: idle}
  const named = idle.slice(0, mostTold).map((name) => `'${name}'`)
  const more = idle.length > mostTold ? ` and ${idle.length - mostTold} more` : ''
  const why = `${judged.why}; no call was hit by the ${idle.length === 1 ? 'rule' : 'rules'} ${named.join(', ')}${more}`
  return {...judged, why, idleRules: idle}
}

const mostTold = 3

/** A kubelet that is held up for longer does other things than one that is not. */
const tooLateMs = 500

/** What is as expected is so all the same. */
function unlessLate(judged: Omit<Judged, 'idleRules'>, {lateMs = 0}: Played): Omit<Judged, 'idleRules'> {
  if (judged.met || judged.verdict === 'inconclusive' || lateMs <= tooLateMs) return judged
  const {showed: _, ...rest} = judged
  const why = `${judged.why}; but the kubelet was up to ${secondsOf(lateMs)} late, which may be why: with a lower --scale it is less so`
  return {...rest, verdict: 'inconclusive', why}
}

/** Those that were there from the start or that a step has added. */
function idleRules({rules, steps}: Scenario, {events}: Played): readonly string[] {
  const hit = new Set(events.map((event) => (event.kind === 'call' ? event.fault : undefined)))
  const all = [...rules, ...steps.flatMap((step) => ('addRule' in step ? [step.addRule] : []))]
  return all.map(({name}) => name).filter((name) => !hit.has(name))
}

function verdictOf(scenario: Scenario, profile: Profile, played: Played): Omit<Judged, 'idleRules'> {
  const {verdict: expected, that} = expectedOf(scenario, profile.version)
  const given = checkAll(scenario.given, played)
  const named = scenario.finding === undefined ? [] : [checkNamesIt(scenario.finding, played.look, expected, played.start)]
  const expectations = [...checkAll(that, played), ...named]
  const unmet = given.find(({held}) => !held)
  const broken = expectations.find(({held}) => !held)
  const judged = {expected, given, expectations}
  const [failure] = played.failures
  if (failure !== undefined) return {...judged, verdict: 'inconclusive', met: false, why: failure}
  if (unmet !== undefined) return {...judged, verdict: 'inconclusive', met: false, why: toldOnce(unmet)}
  if (broken === undefined) return {...judged, verdict: expected, met: true, why: sumUp(expectations)}
  const {words, showed} = othersWay(scenario, that, played)
  const like = showed === undefined || showed === expected ? {} : {showed}
  return {...judged, verdict: `not ${expected}`, met: false, why: `${toldOnce(broken)}${words}`, ...like}
}

function expectedOf({expect}: Scenario, version: string): Expected {
  const named = Object.entries(expect).find(([key]) => versionsOf(key).includes(version))?.[1]
  const expected = named ?? expect.default
  if (expected === undefined) throw new Error(`the scenario says nothing of ${version}, which reading it lets through`)
  return expected
}

function checkAll(expectations: readonly Expectation[], record: RunRecord): readonly CheckedExpectation[] {
  return expectations.map((each) => ({what: each.what ?? expectationWords(each), ...check(each, record)}))
}

interface OthersWay {
  readonly words: string
  readonly showed?: Expected['verdict']
}

/** What the scenario says of other kubelets may be what this one did: a switch was turned. */
function othersWay({expect}: Scenario, own: readonly Expectation[], record: RunRecord): OthersWay {
  const like = Object.entries(expect).find(([, {that}]) => that !== own && that.every((each) => check(each, record).held))
  if (like === undefined) return {words: ''}
  const [key, {verdict}] = like
  return {words: ` (it did as is expected of ${key === 'default' ? 'other kubelets' : key}: ${verdict})`, showed: verdict}
}

/** The first says most: what comes after it is detail. */
const sumUp = ([first]: readonly CheckedExpectation[]) => (first === undefined ? '' : toldOnce(first))
