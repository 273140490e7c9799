// The rules of a recipe for what it aims at.
import {UserError} from '../../base/errors.ts'
import {faultOf} from '../../faults/faults.ts'
import type {Match, Rule} from '../../faults/rule.ts'
import type {Recipe} from './recipe.ts'

/** What tells the calls about it from all others. */
export type Narrowing = Pick<Match, 'pod' | 'container' | 'request'>

/** @param count instead of the recipe's own number @throws UserError where there is nothing to count */
export function rulesOf({name, rules}: Recipe, narrowing: Narrowing, count?: number): readonly Rule[] {
  return rules.map(({name: part, to, method, kind, parameters, limit, per}) => {
    const fault = faultOf(kind, parameters)
    const most = count ?? limit
    if (fault.socket !== undefined && count !== undefined)
      throw new UserError(`Cannot use --count with ${name} as it is about the socket, whatever calls there are: it is ${count}`)
    return {
      name: part === undefined ? name : `${name}-${part}`,
      // A socket's fault looks at no call.
      match: {to, ...(method !== undefined && {method}), ...(fault.socket === undefined && narrowing)},
      ...(most !== undefined && {limit: most}),
      ...(per !== undefined && {per}),
      fault,
    }
  })
}
