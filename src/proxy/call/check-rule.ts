// Whether a rule can do its work, before it is added: where it names the method that it is about, that one's messages must have what it edits.
import {UserError} from '../../base/errors.ts'
import {matchesHead} from '../../faults/match/matches.ts'
import type {Rule} from '../../faults/rule.ts'
import {answering} from './carry-out/replacement.ts'
import {checkEdit} from './edit/check-edit.ts'
import {knownMethods} from './known-methods.ts'
import {Unreadable} from './message/unreadable.ts'

/** Of others, and of methods that are not known, it says nothing: calls that do not fit pass, and the trace says why. @throws UserError */
export function checkRule({name, match, fault: {plan}}: Rule): void {
  if (match.method === undefined || match.method.includes('*')) return
  for (const {called, input, output} of knownMethods()) {
    if (!matchesHead(match, called)) continue
    try {
      for (const edit of plan.request ?? []) checkEdit(input, edit)
      if (plan.reply.kind === 'edit') for (const edit of plan.reply.edits) checkEdit(output, edit)
      if (plan.reply.kind === 'replace') answering(plan.reply.with, [], output)
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      throw new UserError(`Cannot add the rule '${name}' as its fault must fit ${called.method}: ${error.message}`)
    }
  }
}
