// What the kubelet and the API server say of this node, and the kubelet's log: all at once, each under its own deadline.
import type {CredentialPlace} from './api-server/credentials.ts'
import {usable} from './api-server/credentials.ts'
import {findCredentials} from './api-server/find-credentials.ts'
import {type ApiSource, readApiServer} from './api-server/read-api-server.ts'
import type {Host} from './endpoints/host.ts'
import type {HttpWork} from './http/reading.ts'
import {type Pins, servingPins} from './kubelet-api/pins.ts'
import {type KubeletSource, readKubelet} from './kubelet-api/read-kubelet.ts'
import {findKubelet, type KubeletFacts} from './kubelet-facts.ts'
import {readKubeletLog} from './log-source/read-kubelet-log.ts'
import {type RunProgram, runProgram} from './log-source/run-program.ts'
import {mustAnswer} from './must-answer.ts'
import type {NodeRequest} from './node-request.ts'
import type {Machine} from './runtime-source.ts'
import type {Readings, SourceName} from './snapshot.ts'

export interface KubeletSources {
  readonly facts: KubeletFacts
  readonly credentials: readonly CredentialPlace[]
  readonly pins: Pins
  readonly readings: Pick<Readings, KubeletSource | ApiSource | 'kubelet.log'>
  /** The address, the identity or the file that each was read with. */
  readonly how: Readonly<Partial<Record<SourceName, string>>>
  /** Such as '1.26.5', when a source says it. */
  readonly version?: string
}

interface Work extends Pick<Machine, 'host' | 'clock' | 'signal'>, HttpWork {
  readonly run?: RunProgram
  /** Where they were asked for already. */
  readonly facts?: KubeletFacts
}

/** The node, whose root may be mounted somewhere. @throws UserError when it hangs there. */
export async function hostOf({hostRoot}: NodeRequest, own: Host): Promise<Host> {
  if (hostRoot === undefined) return own
  for (const each of ['proc', 'sys']) await mustAnswer(`${hostRoot}/${each}`, own.reach)
  return own.at(hostRoot)
}

/** @throws UserError for what is wrong with the request; the signal's reason. */
export async function readKubeletSources(
  request: NodeRequest,
  {host: own, run = runProgram, facts: known, ...work}: Work,
): Promise<KubeletSources> {
  const {kubeconfig, kubeletUrl, kubeletLog, zoneOffset} = request
  const host = await hostOf(request, own)
  const facts = known ?? (await findKubelet(host, request))
  const [places, pins] = await Promise.all([
    findCredentials({...(kubeconfig !== undefined && {kubeconfig}), own, host, facts}),
    servingPins(host, facts),
  ])
  const credentials = usable(places)
  const {clock} = work
  const [kubelet, api, log] = await Promise.all([
    readKubelet({...work, ...(kubeletUrl !== undefined && {url: kubeletUrl}), facts, credentials, pins: pins.fingerprints}),
    readApiServer({...work, credentials, node: facts.node.value}),
    readKubeletLog({
      ...work,
      ...(kubeletLog !== undefined && {file: kubeletLog}),
      facts,
      host,
      run,
      zoneOffset: zoneOffset ?? -new Date(clock.now()).getTimezoneOffset() * 60_000,
    }),
  ])
  const node = api.readings['api.node']
  const version = kubelet.version ?? (node.state === 'read' ? node.value.kubeletVersion?.replace(/^v/, '') : undefined)
  return {
    facts,
    credentials: places,
    pins,
    readings: {...kubelet.readings, ...api.readings, 'kubelet.log': log.reading},
    how: {...kubelet.how, ...api.how, ...(log.how !== undefined && {'kubelet.log': log.how})},
    ...(version !== undefined && {version}),
  }
}
