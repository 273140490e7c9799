// Rules of a scenario: which calls, how many of them, and what happens to them.
import * as v from 'valibot'
import {strict} from '../../base/yaml/strict.ts'
import {count, duration, int32, oneOf, recordOf, text, whole} from '../../base/yaml/values.ts'
import type {Fault} from '../../faults/fault.ts'
import {faultOf} from '../../faults/faults.ts'
import type {Rule} from '../../faults/rule.ts'
import {answers} from './answers.ts'
import {methodsOf} from './methods.ts'
import {podName} from './values.ts'

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
  strict({kind: kind('fake-success'), response: v.exactOptional(v.unknown())}),
  strict({kind: kind('duplicate')}),
  strict({kind: kind('reset')}),
] as const

const kinds = variants.map(({entries}) => entries.kind.literal)

/** Which response it takes is the call's affair. */
const faultSchema = v.pipe(
  v.variant('kind', variants, `a fault whose kind is one of ${kinds.join(', ')}`),
  v.transform(({kind, ...given}): {readonly fault: Fault; readonly response?: unknown} => {
    if (kind === 'fake-success') return {fault: faultOf(kind), ...given}
    const {for: ms, ...rest} = given as {readonly for?: number}
    return {fault: faultOf(kind, ms === undefined ? rest : {...rest, ms})}
  }),
)

const match = strict({
  to: oneOf(services),
  method: text,
  pod: v.exactOptional(podName),
  container: v.exactOptional(text),
  request: v.exactOptional(fieldsOf),
})

const written = strict({
  name: text,
  match,
  skip: v.exactOptional(count),
  limit: v.exactOptional(whole(1, int32)),
  fault: faultSchema,
})

/** What can be told apart in the lab. */
export type ScenarioRule = Omit<Rule, 'match'> & {readonly match: v.InferOutput<typeof match>}

/** A call that there is not is told of by others. */
export const ruleSchema = v.pipe(
  written,
  v.rawTransform(({dataset, addIssue, NEVER}): ScenarioRule => {
    const {
      fault: {fault, response = {}},
      ...rule
    } = dataset.value
    const {method} = rule.match
    if (fault.kind !== 'fake-success' || !methodsOf(rule.match.to).has(method)) return {...rule, fault}
    const answer = answers.get(method)
    if (answer === undefined) {
      addIssue({message: `another fault for ${method}, as nobody can make up its answer`, input: fault.kind, path: placed('fault', 'kind')})
      return NEVER
    }
    const {issues} = v.safeParse(answer.schema, response, {abortPipeEarly: true})
    if (issues === undefined) return {...rule, fault: answer.fault(response)}
    const [issue] = issues
    if (issue.type === 'strict_object') {
      const only = `a map without '${issue.input}', as there is only ${answer.fields}`
      const what = answer.fields === '' ? 'empty, as the kubelet reads nothing of this answer' : only
      addIssue({message: what, input: response, path: placed('fault', 'response')})
    } else
      addIssue({
        message: issue.message,
        input: issue.input,
        path: placed('fault', 'response', ...(issue.path ?? []).map(({key}) => `${key}`)),
      })
    return NEVER
  }),
)

/** What reads issues looks at the keys alone. */
function placed(first: string, ...more: readonly string[]): [v.IssuePathItem, ...v.IssuePathItem[]] {
  const item = (key: string): v.IssuePathItem => ({type: 'object', origin: 'value', input: {}, key, value: undefined})
  return [item(first), ...more.map(item)]
}
