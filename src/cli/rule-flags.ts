// A rule as flags: what there is in a file of rules, for one rule on the command line.
import {boolean, string} from '@oclif/core/flags'
import {UserError} from '../base/errors.ts'
import type {RuleFlags} from '../faults/flags/rule-flags.ts'

const withFault = {dependsOn: ['fault']}
const text = (helpValue: string, description: string) => string({helpValue, description, ...withFault})
/** Of a recipe, too. */
const either = (helpValue: string, description: string) => string({helpValue, description})
const texts = (helpValue: string, description: string) =>
  string({helpValue, description, multiple: true, multipleNonGreedy: true, ...withFault})

export const ruleFlags = {
  rules: string({helpValue: 'FILE', exclusive: ['fault'], description: 'a file with rules (docs/faults.md)'}),
  fault: string({
    helpValue: 'KIND',
    description: 'one rule, by the flags that follow: hang-after-exec, error, delay, refuse, … (docs/faults.md has all)',
  }),
  name: text('NAME', 'of the rule (else that of its fault)'),
  to: text('WHOM', 'only calls to cri, csi, registration or other'),
  service: text('NAME', 'only calls of this gRPC service, such as csi.v1.Node'),
  method: text('NAME', "only calls of this method; '*' stands for any letters"),
  pod: either('NAMESPACE/NAME', 'only calls about this pod'),
  'pod-uid': text('UID', 'only calls about the pod with this uid'),
  container: either('NAME', 'only calls about this container'),
  pvc: either('NAMESPACE/NAME', 'only calls about the volume of this claim'),
  request: string({
    helpValue: 'FIELD=VALUE',
    description: 'only calls with this in their request; may be repeated',
    multiple: true,
    multipleNonGreedy: true,
  }),
  nth: text('N', 'only the n-th of these calls'),
  skip: text('N', 'the first N of them pass'),
  every: text('N', 'of the others each n-th'),
  count: either('N', 'so many in all'),
  per: text('WHAT', 'these numbers count for each pod, container, pvc or field of the request by itself'),
  probability: text('P', 'each of them with this probability, from above 0 to 1'),
  from: text('5s', 'only so long after the start'),
  until: text('30s', 'no longer than so long after the start'),
  code: text('CODE', 'of error, exec-then-error and stream-cut: a gRPC code, such as INTERNAL'),
  message: text('TEXT', 'of error and exec-then-error'),
  detail: texts('TYPE=BASE64', 'of error and exec-then-error: a detail of the status; may be repeated'),
  response: text('JSON', 'of fake-success: the answer'),
  scope: text('WHAT', 'of drop-reply: stream or connection'),
  delay: text('5s', 'of delay: before the server has the call'),
  before: text('5s', 'the same as --delay'),
  after: text('5s', 'of delay: before the client has the answer; of stream-cut and stream-stall: after so many messages'),
  jitter: text('1s', 'of delay: up to so much more of each, at random'),
  set: texts('WHICH:FIELD=VALUE', 'of rewrite: request:FIELD=VALUE or reply:FIELD=VALUE; may be repeated'),
  list: text('FIELD', 'of list-edit: the list'),
  drop: texts('FIELD=VALUE', 'of list-edit: entries with this leave it; all: all'),
  duplicate: texts('FIELD=VALUE', 'of list-edit: entries with this are in it twice'),
  phantom: texts('FIELD=VALUE', 'of list-edit: one entry more, like the first with this; copy: just like it'),
  stale: boolean({description: 'of list-edit: the last answer instead of the present one', ...withFault}),
  bytes: text('16MiB', 'of pad: how large the answer is at least'),
  rate: text('1KiB', 'of throttle: bytes per second'),
} satisfies Readonly<Record<keyof RuleFlags | 'rules', unknown>>

type RuleValues = {readonly [Name in keyof RuleFlags]?: RuleFlags[Name] | undefined} & {readonly rules?: string | undefined}

/** Those that were given, when there is a fault among them. @throws UserError when there is none and they need one */
export function givenRuleFlags(flags: RuleValues): RuleFlags | undefined {
  const {fault} = flags
  if (fault === undefined) {
    const odd = (['pod', 'container', 'pvc', 'request', 'count'] as const).find((name) => flags[name] !== undefined)
    if (odd === undefined) return undefined
    throw new UserError(`Cannot use --${odd} as --fault must be given with it: it is not`)
  }
  const own = Object.keys(ruleFlags).filter((name) => name !== 'rules') as readonly (keyof RuleFlags)[]
  const values = own.flatMap((name) => (flags[name] === undefined ? [] : [[name, flags[name]] as const]))
  return {...Object.fromEntries(values), fault}
}
