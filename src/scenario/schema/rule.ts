// Rules of a scenario: which calls, how many of them, and what happens to them.
import * as v from 'valibot'
import type {Fault} from '../../faults/fault.ts'
import {passed} from '../../faults/plan.ts'
import {strict} from './strict.ts'
import {count, duration, oneOf, podName, recordOf, text} from './values.ts'

export const services = ['api', 'cri', 'csi'] as const
export const fieldsOf = recordOf(v.union([v.string(), v.number(), v.boolean()], 'a text, a number, true or false'))

const kind = <const Name extends string>(name: Name) => v.literal(name)
const failure = {code: text, message: v.exactOptional(text)}

const variants = [
  strict({kind: kind('delay'), by: duration}),
  strict({kind: kind('hang')}),
  strict({kind: kind('fail'), ...failure}),
  strict({kind: kind('lose-reply')}),
  strict({kind: kind('late-reply'), by: duration}),
  strict({kind: kind('fail-reply'), ...failure}),
  strict({kind: kind('twice')}),
  strict({kind: kind('reset')}),
] as const

const kinds = variants.map(({entries}) => entries.kind.literal)

const fault = v.pipe(
  v.variant('kind', variants, `a fault whose kind is one of ${kinds.join(', ')}`),
  v.transform((it): Fault => {
    switch (it.kind) {
      case 'delay':
        return {kind: it.kind, plan: {...passed, before: it.by}}
      case 'hang':
        return {kind: it.kind, plan: {...passed, forward: 0, reply: {kind: 'hold', ms: Number.POSITIVE_INFINITY}}}
      case 'fail':
        return {kind: it.kind, plan: {...passed, forward: 0, reply: replyOf(it)}}
      case 'lose-reply':
        return {kind: it.kind, plan: {...passed, upstreamDeadline: 'strip', reply: {kind: 'hold', ms: Number.POSITIVE_INFINITY}}}
      case 'late-reply':
        return {kind: it.kind, plan: {...passed, upstreamDeadline: 'strip', reply: {kind: 'hold', ms: it.by}}}
      case 'fail-reply':
        return {kind: it.kind, plan: {...passed, reply: replyOf(it)}}
      case 'twice':
        return {kind: it.kind, plan: {...passed, forward: 2}}
      case 'reset':
        return {kind: it.kind, plan: {...passed, forward: 0, reply: {kind: 'reset'}}}
    }
  }),
)

function replyOf({code, message}: {readonly code: string; readonly message?: string}) {
  return {kind: 'replace', with: {code, message: message ?? `${code} by the scenario`}} as const
}

export const ruleSchema = strict({
  name: text,
  match: strict({
    to: oneOf(services),
    method: text,
    pod: v.exactOptional(podName),
    container: v.exactOptional(text),
    request: v.exactOptional(fieldsOf),
  }),
  skip: v.exactOptional(count),
  limit: v.exactOptional(count),
  fault,
})
