// Flags of inject and trace, and the requests that the verbs take.
import {boolean, option, string} from '@oclif/core/flags'
import {systemClock} from '../base/clock.ts'
import {parseDuration} from '../base/duration.ts'
import {UserError} from '../base/errors.ts'
import {usualFaultSeed} from '../base/seed.ts'
import type {RulesFile} from '../faults/file/rules-schema.ts'
import type {InjectOptions, InjectRequest} from '../inject.ts'
import type {SnapshotRequest} from '../node/snapshot-request.ts'
import {controlPath} from '../proxy/control/control-socket.ts'
import {injectOutputs} from '../render/inject.ts'
import {traceOutputs} from '../render/trace.ts'
import type {TraceRequest} from '../trace.ts'
import {parseControlPath} from './control-path.ts'
import {given, snapshotRequest} from './flags.ts'
import {isAlive} from './is-alive.ts'
import {owner} from './owner.ts'
import {type FoundPlace, injectPlace, ownPlace, ownPlaceFlags, type PlaceValues, placeFlags} from './place-flags.ts'
import {givenRuleFlags, ruleFlags} from './rule-flags.ts'
import {wholeNumber} from './whole-number.ts'

const longest = '24h'

const seedFlag = wholeNumber('--seed', 0)({helpValue: 'N', description: 'of all that is random in rules (else that of the file, or 1)'})

export const controlFlags = {
  control: string({helpValue: 'PATH', description: 'the control socket of the injector (else that of the only one that runs)'}),
}

export const injectFlags = {
  ...placeFlags,
  ...ruleFlags,
  seed: seedFlag,
  decode: boolean({
    description:
      'look into all calls, not only into those that a rule is about: trace shows more, and rules that are added later know the names at once',
  }),
  for: string({helpValue: '10m', default: '10m', description: `how long, at most ${longest}: then it heals by itself`}),
  control: string({
    helpValue: 'PATH',
    description: 'where its control socket is to be (else inject-PID.sock in /run/kubelimbo or $XDG_RUNTIME_DIR/kubelimbo)',
  }),
  output: option({char: 'o', options: injectOutputs, default: 'text', description: 'format; json: a line each'})(),
  json: boolean({description: 'the same as -o json, whatever -o says'}),
}

export const injectExplainFlags = {
  rules: string({required: true, helpValue: 'FILE', description: 'a file with rules'}),
  against: string({
    helpValue: 'FILE',
    description: 'a recording, as `trace -o jsonl` prints it: how many of its calls each rule would have had',
  }),
  seed: seedFlag,
}

export const traceFlags = {
  ...ownPlaceFlags,
  control: string({
    helpValue: 'PATH',
    exclusive: ['listen'],
    description: 'of the injector whose calls are shown (else of the only one that runs)',
  }),
  for: string({helpValue: '10m', description: 'how long (else until Ctrl-C, or until the injector ends)'}),
  ledger: boolean({description: 'at the end: who spent the deadlines, and what servers did after their clients had gone'}),
  output: option({char: 'o', options: traceOutputs, default: 'table', description: 'format; jsonl: a line of JSON each'})(),
}

export const controlOf = ({control}: {readonly control?: string | undefined}): {readonly control?: string} =>
  given({control: control === undefined ? undefined : parseControlPath(control)})

interface InjectValues extends PlaceValues {
  readonly seed?: number | undefined
  readonly decode: boolean
  readonly for: string
  readonly control?: string | undefined
}

/** What a recipe found, or what the flags and a file say. */
interface GivenRules extends Pick<InjectOptions, 'rules'>, FoundPlace {
  readonly seed?: number
}

/** @param hurry the second Ctrl-C @throws UserError */
export function injectRequest(
  flags: InjectValues,
  {rules, seed, ...found}: GivenRules,
  tool: string,
  {signal, hurry}: {readonly signal: AbortSignal; readonly hurry: AbortSignal},
): InjectRequest {
  const {pid} = process
  const me = owner()
  const forMs = durationOf(flags.for)
  mustBegin(rules, forMs, flags.for)
  return {
    ...injectPlace(flags, found, hurry),
    rules,
    seed: flags.seed ?? seed ?? usualFaultSeed,
    decode: flags.decode,
    forMs,
    control: controlOf(flags).control ?? controlPath(me, pid),
    uid: me.uid,
    pid,
    isAlive,
    tool,
    clock: systemClock,
    signal,
  }
}

/** Those of the file, or the one that the flags say; none when neither is given. @throws UserError */
export async function rulesGiven(flags: Parameters<typeof givenRuleFlags>[0]): Promise<RulesFile> {
  const ruleGiven = givenRuleFlags(flags)
  if (ruleGiven !== undefined) {
    const {ruleOf} = await import('../faults/flags.ts')
    return {rules: [ruleOf(ruleGiven)]}
  }
  if (flags.rules === undefined) return {rules: []}
  const {rulesIn} = await import('../inject-explain.ts')
  return await rulesIn(flags.rules)
}

/** The same for an injector that runs; what is wrong is found here, where the file has a name. @throws UserError */
export async function rulesToAdd(flags: Parameters<typeof givenRuleFlags>[0]): Promise<string> {
  const {rules} = await rulesGiven(flags)
  if (rules.length === 0)
    throw new UserError('Cannot add a rule as --rules or --fault must be given: neither is', {hint: '--help shows what there is'})
  const ruleGiven = givenRuleFlags(flags)
  if (ruleGiven !== undefined) {
    const {writtenRule} = await import('../faults/flags/written-rule.ts')
    return JSON.stringify(writtenRule(ruleGiven).rule)
  }
  const {textOf} = await import('../inject-explain.ts')
  return await textOf(flags.rules ?? '', '--rules')
}

interface TraceValues {
  readonly listen?: string | undefined
  readonly upstream?: string | undefined
  readonly control?: string | undefined
  readonly for?: string | undefined
}

/** @param found the control socket of the injector that runs, where neither it nor a proxy is named @throws UserError */
export async function traceRequest(flags: TraceValues, found: () => Promise<string>, signal: AbortSignal): Promise<TraceRequest> {
  const own = flags.listen !== undefined || flags.upstream !== undefined
  const forMs = flags.for === undefined ? undefined : durationOf(flags.for)
  const source = own ? ownPlace(flags, 'trace') : {control: controlOf(flags).control ?? (await found())}
  return {source, ...given({forMs}), clock: systemClock, signal}
}

/** What begins when all is over is never in force. */
function mustBegin(rules: InjectOptions['rules'], forMs: number, given: string): void {
  const late = rules.find(({from = 0}) => from >= forMs)
  if (late === undefined) return
  throw new UserError(
    `Cannot inject as the rule '${late.name}' must begin before --for ${given} is over: it begins ${(late.from ?? 0) / 1000} s after the start`,
  )
}

export function durationOf(text: string): number {
  const ms = parseDuration(text, '--for')
  const most = parseDuration(longest, '--for')
  if (ms > 0 && ms <= most) return ms
  throw new UserError(`Cannot use --for as it must be more than nothing and at most ${longest}: it is '${text}'`, {
    hint: 'write it as --for 30s, 10m or 2h',
  })
}

/** Which node it is. A rule's --from is no bundle. @throws UserError */
export const nodeOf = ({from: _, ...flags}: Parameters<typeof snapshotRequest>[0]): SnapshotRequest => snapshotRequest(flags)
