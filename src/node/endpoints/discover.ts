// Finds the container runtime's socket as crictl does, and then looks at what the kubelet does before it goes by the usual places.
import type {UserError} from '../../base/errors.ts'
import type {CriClient} from '../../wire/cri-client.ts'
import {parseSocketAddress} from '../../wire/socket-address.ts'
import type {Candidate, Probed} from './candidate.ts'
import {choose, isVain} from './choose.ts'
import type {Host} from './host.ts'
import {kubeletCandidates} from './kubelet-endpoint.ts'
import {type Dial, type Probe, probeAll} from './probe.ts'
import {usualSockets} from './usual-sockets.ts'

export interface DiscoverOptions {
  /** --runtime-endpoint */
  readonly flag?: string
  readonly configured?: {readonly text: string; readonly source: string}
  /** Probes also what can no longer decide, for a person to see. */
  readonly everything?: boolean
}

export interface Discovery extends AsyncDisposable {
  readonly candidates: readonly Probed[]
  readonly chosen: Probed | UserError
  /** Of the chosen one. */
  readonly client: CriClient | undefined
  readonly warnings: readonly string[]
}

/** @throws UserError when the address that was named is none. */
export async function discover({flag, configured, everything = false}: DiscoverOptions, host: Host, dial: Dial): Promise<Discovery> {
  const [first, ...others] = explicitCandidates(host, flag, configured)
  // What the user wrote is the user's to mend; what was found elsewhere may be wrong without stopping us.
  if (first) parseSocketAddress(first.text, first.source)
  const tiers: readonly (() => Promise<readonly Candidate[]>)[] = [
    async () => (first ? [first] : []),
    () => kubeletCandidates(host),
    async () => usualSockets,
  ]
  if (everything) {
    const candidates = await Promise.all(tiers.map((candidatesOf) => candidatesOf()))
    const named = others.map((other) => passedOver(other, `${first?.source} decides`))
    return settle([...(await probeAll(candidates.flat(), host, dial)), ...named])
  }
  for (const candidatesOf of tiers) {
    const probes = await probeAll(await candidatesOf(), host, dial)
    if (probes.some(({probed}) => !isVain(probed))) return settle(probes)
  }
  return settle([])
}

/** The first one alone decides. */
function explicitCandidates(host: Host, flag: string | undefined, configured: DiscoverOptions['configured']): readonly Candidate[] {
  const variable = host.env.CONTAINER_RUNTIME_ENDPOINT || undefined
  const said = [
    ...(flag === undefined ? [] : [{text: flag, source: '--runtime-endpoint'}]),
    ...(variable === undefined ? [] : [{text: variable, source: 'CONTAINER_RUNTIME_ENDPOINT'}]),
    ...(configured === undefined ? [] : [configured]),
  ]
  return said.map((candidate) => ({...candidate, tier: 'explicit'}))
}

function passedOver(candidate: Candidate, why: string): Probe {
  return {probed: {...candidate, endpoint: candidate.text, outcome: {state: 'not tried', why}}}
}

async function settle(probes: readonly Probe[]): Promise<Discovery> {
  const chosen = choose(probes.map(({probed}) => probed))
  const winner = probes.find(({probed}) => probed === chosen)
  await Promise.all(probes.filter((probe) => probe !== winner).map(({client}) => client?.[Symbol.asyncDispose]()))
  return {
    candidates: probes.map(({probed}) => probed),
    chosen,
    client: winner?.client,
    warnings: probes.flatMap(({warning}) => (warning === undefined ? [] : [warning])),
    [Symbol.asyncDispose]: async () => winner?.client?.[Symbol.asyncDispose](),
  }
}
