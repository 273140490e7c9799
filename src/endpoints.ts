// Says where the container runtime was looked for, what was found there, and which one is used.
import {UserError} from './base/errors.ts'
import {formatInstant} from './base/instant.ts'
import type {Probed} from './node/endpoints/candidate.ts'
import {discoverRuntime, type Machine, type RuntimeRequest} from './node/runtime-source.ts'

export interface EndpointsReport {
  readonly candidates: readonly Probed[]
  readonly chosen: Probed | undefined
  /** Why none is used. */
  readonly problem: UserError | undefined
  readonly metadata: {readonly node: string; readonly when: string; readonly tool: string}
  readonly warnings: readonly string[]
}

/**
 * @param tool 'kubelimbo 0.1.0'.
 * @throws UserError when a configuration file or an address that was named cannot be used.
 */
export async function endpoints(request: RuntimeRequest, machine: Machine, tool: string): Promise<EndpointsReport> {
  await using discovery = await discoverRuntime(request, machine, {everything: true})
  const {candidates, chosen, warnings} = discovery
  const metadata = {node: machine.host.env.NODE_NAME ?? '', when: formatInstant(machine.clock.now()), tool}
  return chosen instanceof UserError
    ? {candidates, chosen: undefined, problem: chosen, metadata, warnings}
    : {candidates, chosen, problem: undefined, metadata, warnings}
}
