// Tries candidates, all at once: look first, then dial, then ask for the version.
import {UserError} from '../../base/errors.ts'
import type {CriClient} from '../../wire/cri-client.ts'
import {type FailureKind, RpcFailure} from '../../wire/rpc-failure.ts'
import {parseSocketAddress, type SocketAddress} from '../../wire/socket-address.ts'
import type {Candidate, Probed} from './candidate.ts'
import type {Host} from './host.ts'

/** @throws RpcFailure */
export type Dial = (path: string) => Promise<CriClient>

export interface Probe {
  readonly probed: Probed
  /** Of one that answers; the caller's to close. */
  readonly client?: CriClient
  readonly warning?: string
}

export async function probeAll(candidates: readonly Candidate[], host: Host, dial: Dial): Promise<readonly Probe[]> {
  const targets = await Promise.all(candidates.map((candidate) => target(candidate, host)))
  const firsts = new Map<string, string>()
  return Promise.all(
    targets.map((target) => {
      const {probed, inode} = target
      // /var/run is a link to /run, and one socket must not count as two.
      const twin = inode && firsts.get(inode)
      if (twin) return {probed: {...probed, outcome: {state: 'same', as: twin} as const}}
      if (inode) firsts.set(inode, probed.endpoint)
      return probe(target, dial)
    }),
  )
}

interface Target extends Pick<Probe, 'warning'> {
  readonly probed: Probed
  readonly path?: string
  readonly inode?: string
}

async function target(candidate: Candidate, host: Host): Promise<Target> {
  const rejected = (endpoint: string, why: string, kind?: FailureKind): Target => ({
    probed: {...candidate, endpoint, outcome: {state: 'rejected', why, ...(kind && {kind})}},
  })
  let address: SocketAddress
  try {
    address = parseSocketAddress(candidate.text, candidate.source)
    if (candidate.root && address.path.startsWith('/'))
      address = parseSocketAddress(`unix://${candidate.root}${address.path}`, candidate.source)
  } catch (error) {
    if (error instanceof UserError) return rejected(candidate.text, error.message)
    throw error
  }
  const {path, endpoint, warning} = address
  const waiting: Target = {
    probed: {...candidate, endpoint, outcome: {state: 'not tried', why: ''}},
    path: host.locate(path),
    ...(warning !== undefined && {warning}),
  }
  if (path.startsWith('@')) return {...waiting, inode: path}
  try {
    const {isSocket, inode} = await host.look(path)
    return isSocket ? {...waiting, inode} : rejected(endpoint, `${path} is not a socket`, 'not-a-socket')
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return rejected(endpoint, `there is no socket ${path}`, 'missing')
    if (code === 'EACCES' || code === 'EPERM') return rejected(endpoint, `this user may not look at ${path}`, 'forbidden')
    return rejected(endpoint, `${path} cannot be looked at (${code})`, 'lost')
  }
}

async function probe({probed, path, warning}: Target, dial: Dial): Promise<Probe> {
  if (path === undefined) return {probed}
  const extra = warning === undefined ? {} : {warning}
  try {
    const client = await dial(path)
    return {probed: {...probed, outcome: {state: 'answers', runtime: client.runtime}}, client, ...extra}
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error
    return {probed: {...probed, outcome: {state: 'rejected', why: error.message, kind: error.kind}}, ...extra}
  }
}
