// Rules that must not be in force on a socket that was taken over.
import {UserError} from '../../base/errors.ts'
import {exitCodes} from '../../base/exit-codes.ts'
import type {Rule} from '../../faults/rule.ts'

/** @throws UserError */
export function mustSuitTaken(rules: readonly Rule[]): void {
  const odd = rules.find(({fault}) => fault.onlyWith === 'listen')
  if (odd === undefined) return
  throw new UserError(
    `Cannot have the rule '${odd.name}' on a socket that is taken over as ${odd.fault.kind} needs a socket of its own, that clients are pointed at`,
    {hint: 'stand before the server with --listen and --upstream', exit: exitCodes.refused},
  )
}
