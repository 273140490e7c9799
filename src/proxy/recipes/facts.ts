// What a recipe needs to know of the node before it can be prepared.
import {UserError} from '../../base/errors.ts'
import {usable} from '../../node/api-server/credentials.ts'
import {findCredentials} from '../../node/api-server/find-credentials.ts'
import {type ClaimAnswers, readClaim} from '../../node/api-server/read-claim.ts'
import {findKubelet} from '../../node/kubelet-facts.ts'
import {hostOf} from '../../node/kubelet-sources.ts'
import {discoverRuntime, type Machine} from '../../node/runtime-source.ts'
import type {Snapshot} from '../../node/snapshot.ts'
import type {SnapshotRequest} from '../../node/snapshot-request.ts'
import {takeSnapshot} from '../../node/take-snapshot.ts'
import {type Asked, namespacedOf} from './asked.ts'
import type {Recipe} from './recipe.ts'

export interface Facts {
  readonly snapshot: Snapshot
  /** Absent: nobody asked. */
  readonly claim?: ClaimAnswers
  /** Absent: it was not looked for, or not found. */
  readonly runtime?: {readonly endpoint: string; readonly source: string}
}

/** @throws UserError for what is wrong with the request, or when there is no container runtime and it takes one */
export async function readFacts(recipe: Recipe, asked: Asked, request: SnapshotRequest, machine: Machine): Promise<Facts> {
  const {pvc} = asked
  const live = request.from === undefined
  const [{snapshot}, claim, runtime] = await Promise.all([
    takeSnapshot(request, machine),
    live && pvc !== undefined ? claimOf(pvc, request, machine) : undefined,
    live && asked.upstream === undefined && asked.socket === undefined && isOfRuntime(recipe) ? runtimeOf(request, machine) : undefined,
  ])
  return {snapshot, ...(claim !== undefined && {claim}), ...(runtime !== undefined && {runtime})}
}

const isOfRuntime = ({aim}: Recipe): boolean => aim === 'pod' || aim === 'container' || aim === 'runtime'

async function claimOf(pvc: string, request: SnapshotRequest, {host: own, clock, signal}: Machine): Promise<ClaimAnswers> {
  const {kubeconfig, deadlineMs} = request
  const host = await hostOf(request, own)
  const facts = await findKubelet(host, request)
  const places = await findCredentials({...(kubeconfig !== undefined && {kubeconfig}), own, host, facts})
  // As long as the rest of the node has: what comes later helps nobody.
  const work = {clock, signal, deadlineMs: deadlineMs * 0.4}
  return await readClaim({...namespacedOf(pvc, '--pvc'), credentials: usable(places), ...work})
}

async function runtimeOf(request: SnapshotRequest, machine: Machine): Promise<{endpoint: string; source: string}> {
  await using discovery = await discoverRuntime(request, machine)
  const {chosen} = discovery
  if (chosen instanceof UserError) throw chosen
  return {endpoint: chosen.endpoint, source: chosen.source}
}
