// Which volume a claim is: from the API server where it says so, else from the node's own directories.
import {UserError} from '../../../base/errors.ts'
import {exitCodes} from '../../../base/exit-codes.ts'
import {profileNearest} from '../../../kubelet/profiles.ts'
import type {ClaimAnswers} from '../../../node/api-server/read-claim.ts'
import type {VolumeMode} from '../../../node/claim.ts'
import type {Snapshot} from '../../../node/snapshot.ts'
import {type Namespaced, slashed} from '../asked.ts'
import {claimOnNode} from './claim-on-node.ts'
import {claimsThere, podsWithClaim} from './pods-here.ts'
import {usersWords} from './users.ts'

export interface ClaimedVolume {
  readonly volume?: string
  readonly driver: string
  readonly handle: string
  readonly mode: VolumeMode
  readonly words: readonly string[]
  /** A pod of this node that uses it: 'namespace/name'. */
  readonly pod?: string
}

/** @throws UserError */
export function claimedVolume(claim: Namespaced, snapshot: Snapshot, answers: ClaimAnswers | undefined): ClaimedVolume {
  const users = podsWithClaim(snapshot, claim)
  const found = fromApi(claim, snapshot, answers) ?? claimOnNode(claim, users, snapshot, profileNearest(snapshot.kubeletVersion))
  const {volume, driver, handle, mode, said} = found
  const silent = whyUnsaid(answers)
  return {
    ...(volume !== undefined && {volume}),
    driver,
    handle,
    mode,
    words: [
      `The claim ${slashed(claim)} is bound to ${volume ?? 'a volume'}, ${mode === 'block' ? 'a raw block volume' : 'a file system'} of the driver ${driver} with the handle ${handle}: ${said}.`,
      ...(silent === undefined ? [] : [`The API server does not say it: ${silent}.`]),
      usersWords(users, volume, snapshot),
    ],
    ...(users[0] !== undefined && {pod: slashed(users[0])}),
  }
}

/** Undefined when it cannot tell. @throws UserError when it says that there is nothing to aim at */
function fromApi(claim: Namespaced, snapshot: Snapshot, answers: ClaimAnswers | undefined) {
  if (answers?.missing) {
    throw new UserError(`Cannot aim at the claim ${slashed(claim)} as there must be one: the API server has none`, {
      hint: claimsThere(snapshot),
    })
  }
  if (answers?.claim.state !== 'read') return undefined
  if (answers.claim.value.volume === undefined) {
    throw new UserError(
      `Cannot aim at the claim ${slashed(claim)} as it must be bound to a volume: it is ${answers.claim.value.phase ?? 'not'}`,
      {hint: '--driver NAME without --pvc aims at all volumes of a driver'},
    )
  }
  if (answers.volume.state !== 'read') return undefined
  const {name, kind, driver, handle, mode} = answers.volume.value
  if (driver === undefined || handle === undefined) {
    throw new UserError(`Cannot aim at the claim ${slashed(claim)} as its volume must be a CSI driver's: ${name} is of the kind ${kind}`, {
      exit: exitCodes.usage,
    })
  }
  return {volume: name, driver, handle, mode, said: 'so says the API server'}
}

/** Why what was found is not from the API server. */
function whyUnsaid(answers: ClaimAnswers | undefined): string | undefined {
  const unread = answers === undefined ? undefined : [answers.claim, answers.volume].find(({state}) => state !== 'read')
  return unread === undefined || unread.state === 'read' ? undefined : unread.why
}
