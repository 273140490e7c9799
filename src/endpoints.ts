// Says where the container runtime was looked for, what was found there, and which one is used.
import {UserError} from './base/errors.ts'
import {formatInstant} from './base/instant.ts'
import type {Probed} from './node/endpoints/candidate.ts'
import {findKubelets} from './node/endpoints/kubelet-process.ts'
import {known} from './node/reading.ts'
import {discoverRuntime, type Machine, type RuntimeRequest} from './node/runtime-source.ts'
import {readTakeovers} from './node/takeover/read-takeovers.ts'
import type {TakeoverJournal} from './node/takeover/takeover.ts'

export interface EndpointsReport {
  readonly candidates: readonly Probed[]
  readonly chosen: Probed | undefined
  /** Why none is used. */
  readonly problem: UserError | undefined
  readonly metadata: {readonly node: string; readonly when: string; readonly tool: string}
  readonly warnings: readonly string[]
  /** Sockets in the place of which an injector stands, or stood. */
  readonly takeovers: readonly TakeoverJournal[]
}

/**
 * @param tool 'kubelimbo 0.1.0'.
 * @throws UserError when a configuration file or an address that was named cannot be used.
 */
export async function endpoints(request: RuntimeRequest, machine: Machine, tool: string): Promise<EndpointsReport> {
  await using discovery = await discoverRuntime(request, machine, {everything: true})
  const {candidates, chosen} = discovery
  const {host, clock} = machine
  const [kubelet] = await findKubelets(host)
  const read = await readTakeovers(host, kubelet?.pid)
  const report = {
    candidates,
    metadata: {node: host.env.NODE_NAME ?? '', when: formatInstant(clock.now()), tool},
    warnings:
      read.state === 'failed' ? [...discovery.warnings, `whether a socket was taken over was not seen: ${read.why}`] : discovery.warnings,
    takeovers: known(read) ?? [],
  }
  return chosen instanceof UserError ? {...report, chosen: undefined, problem: chosen} : {...report, chosen, problem: undefined}
}
