// Says where the container runtime was looked for, what was found there, and which one is used.
import {UserError} from './base/errors.ts'
import type {Probed} from './node/endpoints/candidate.ts'
import {discoverRuntime, type Machine, type RuntimeRequest} from './runtime-source.ts'

export interface EndpointsReport {
  readonly candidates: readonly Probed[]
  readonly chosen: Probed | undefined
  /** Why none is used. */
  readonly problem: UserError | undefined
  readonly warnings: readonly string[]
}

/** @throws UserError when a configuration file that was named cannot be used. */
export async function endpoints(request: RuntimeRequest, machine: Machine): Promise<EndpointsReport> {
  await using discovery = await discoverRuntime(request, machine, {everything: true})
  const {candidates, chosen, warnings} = discovery
  return chosen instanceof UserError
    ? {candidates, chosen: undefined, problem: chosen, warnings}
    : {candidates, chosen, problem: undefined, warnings}
}
