// Which volume a claim is, by the directories of the pods that use it: they have its handle, and no claim's name.
import {UserError} from '../../../base/errors.ts'
import {exitCodes} from '../../../base/exit-codes.ts'
import {shellWord} from '../../../findings/shell-word.ts'
import {type VolumeRow, volumeRows} from '../../../findings/volumes/volume-rows.ts'
import type {Profile} from '../../../kubelet/profiles.ts'
import type {VolumeMode} from '../../../node/claim.ts'
import {nodeUid, type Pod} from '../../../node/pod.ts'
import type {Snapshot} from '../../../node/snapshot.ts'
import {type Namespaced, slashed} from '../asked.ts'
import {claimsThere, podsHere, whyNoPods} from './pods-here.ts'
import {whyUnknown} from './why-unknown.ts'

interface VolumeOnNode {
  readonly volume?: string
  readonly driver: string
  readonly handle: string
  readonly mode: VolumeMode
  readonly said: string
}

type NamedRow = VolumeRow & {readonly driver: string; readonly handle: string}

/** @throws UserError when it cannot be told */
export function claimOnNode(claim: Namespaced, users: readonly Pod[], snapshot: Snapshot, profile: Profile): VolumeOnNode {
  if (users.length === 0) throw unused(claim, snapshot)
  const rows = (volumeRows(snapshot, profile) ?? []).filter(isNamed).filter(({inline}) => !inline)
  const owners = certainOwners(podsHere(snapshot), rows)
  const mayBe = (row: NamedRow) => [undefined, slashed(claim)].includes(owners.get(keyOf(row)))
  const candidates = users.map((pod) => ofPod(pod, rows).filter(mayBe))
  // Of two pods that use it both have it.
  const shared = unlike((candidates[0] ?? []).filter((row) => candidates.every((all) => all.some((each) => keyOf(each) === keyOf(row)))))
  const [only, ...others] = shared
  if (only === undefined) throw notHere(claim, users, snapshot)
  if (others.length > 0) throw ambiguous(claim, users, shared)
  const {volume, driver, handle, mode} = only
  const pods = users.map((pod) => slashed(pod)).join(' and ')
  return {
    ...(volume !== undefined && {volume}),
    driver,
    handle,
    mode,
    said: `so says what is here of ${pods}`,
  }
}

/** By their volumes: the claims of pods that have one claim and one volume. */
function certainOwners(pods: readonly Pod[], rows: readonly NamedRow[]): ReadonlyMap<string, string> {
  return new Map(
    pods.flatMap((pod) => {
      const [claim, ...claims] = new Set(pod.volumes.flatMap((each) => each.claim ?? []))
      const [volume, ...volumes] = unlike(ofPod(pod, rows))
      if (claim === undefined || volume === undefined || claims.length + volumes.length > 0) return []
      return [[keyOf(volume), slashed({namespace: pod.namespace, name: claim})] as const]
    }),
  )
}

const ofPod = (pod: Pod, rows: readonly NamedRow[]): readonly NamedRow[] => rows.filter(({podUid}) => podUid === nodeUid(pod))
const isNamed = (row: VolumeRow): row is NamedRow => row.driver !== undefined && row.handle !== undefined
const keyOf = ({driver, handle}: NamedRow): string => `${driver}^${handle}`
const unlike = (rows: readonly NamedRow[]): readonly NamedRow[] => [...new Map(rows.map((row) => [keyOf(row), row])).values()]

function unused(claim: Namespaced, snapshot: Snapshot): UserError {
  const why = whyNoPods(snapshot)
  if (why !== undefined)
    return new UserError(`Cannot find the claim ${slashed(claim)} as pods of this node must be known: ${why}`, {
      hint: byHand,
      exit: exitCodes.blind,
    })
  return new UserError(`Cannot find the claim as a pod of this node must use it: ${slashed(claim)} is used by none`, {
    hint: `${claimsThere(snapshot)}; with --kubeconfig of somebody who may read claims it is found before a pod uses it`,
  })
}

function notHere(claim: Namespaced, users: readonly Pod[], {readings}: Snapshot): UserError {
  const unread = (['disk.entries', 'disk.vol-data'] as const).flatMap((name) => whyUnknown(readings[name]) ?? [])
  const why = unread.length > 0 ? unread.join('; ') : `nothing here says which volume ${users.map(slashed).join(' and ')} has of it`
  return new UserError(`Cannot find the claim ${slashed(claim)} as its volume must be known: ${why}`, {hint: byHand, exit: exitCodes.blind})
}

const byHand = '--kubeconfig of somebody who may read claims, or --driver NAME --request volumeId=HANDLE'

function ambiguous(claim: Namespaced, users: readonly Pod[], rows: readonly NamedRow[]): UserError {
  const volumes = rows.map(({volume, driver, handle}) => `${volume ?? 'one'} (${driver}, ${handle})`)
  const [first] = rows
  return new UserError(
    `Cannot tell which volume is that of ${slashed(claim)} as ${users.map(slashed).join(' and ')} must have one: it may be ${volumes.join(' or ')}`,
    {
      hint: `name it: --driver ${shellWord(first?.driver ?? '')} --request volumeId=${shellWord(first?.handle ?? '')}; or --kubeconfig of somebody who may read claims`,
      exit: exitCodes.blind,
    },
  )
}
