// Rules of a scenario: which calls, how many of them, and what happens to them.
import * as v from 'valibot'
import type {Fault} from '../../faults/fault.ts'
import {faultOf} from '../../faults/faults.ts'
import {strict} from './strict.ts'
import {count, duration, oneOf, podName, recordOf, text} from './values.ts'

export const services = ['api', 'cri', 'csi'] as const
export const fieldsOf = recordOf(v.union([v.string(), v.number(), v.boolean()], 'a text, a number, true or false'))

const kind = <const Name extends string>(name: Name) => v.literal(name)
const message = v.exactOptional(text)

const variants = [
  strict({kind: kind('fail'), code: text, message}),
  strict({kind: kind('delay'), for: duration}),
  strict({kind: kind('hang')}),
  strict({kind: kind('lose-reply')}),
  strict({kind: kind('hold'), for: duration}),
  strict({kind: kind('exec-then-error'), code: text, message}),
  strict({kind: kind('fake-success'), response: v.exactOptional(recordOf(v.unknown()))}),
  strict({kind: kind('duplicate')}),
  strict({kind: kind('reset')}),
] as const

const kinds = variants.map(({entries}) => entries.kind.literal)

const faultSchema = v.pipe(
  v.variant('kind', variants, `a fault whose kind is one of ${kinds.join(', ')}`),
  v.transform(({kind, ...given}): Fault => {
    const {for: ms, ...rest} = given as {readonly for?: number}
    return faultOf(kind, ms === undefined ? rest : {...rest, ms})
  }),
)

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
  fault: faultSchema,
})
