// Why a socket is not taken over: one sentence, and what to do instead. Nothing was changed.
import {UserError} from '../../base/errors.ts'
import {exitCodes} from '../../base/exit-codes.ts'

export const refuse = (socket: string, why: string, hint: string): UserError =>
  new UserError(`Cannot take ${socket} over as ${why}`, {hint, exit: exitCodes.refused})

/** Nobody is there, or we may not look: there is nothing to take over. */
export const unreachable = (socket: string, why: string, hint: string): UserError =>
  new UserError(`Cannot take ${socket} over as ${why}`, {hint, exit: exitCodes.blind})
