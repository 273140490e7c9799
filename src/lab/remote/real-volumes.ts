// The volumes of a scenario's claims, made by a real driver for one run and removed after it.

import type {Clock} from '../../base/clock.ts'
import type {Dice} from '../../base/dice.ts'
import {firstLine, UserError} from '../../base/errors.ts'
import {exitCodes} from '../../base/exit-codes.ts'
import {type ScaledClock, scaledClock} from '../../base/scaled-clock.ts'
import type {BoundClaim} from '../../kubelet/pod.ts'
import {CallFailure} from '../../kubelet/port.ts'
import {parseSocketAddress} from '../../wire/socket-address.ts'
import {uuid} from '../api-server/pod-defaults.ts'
import {openExaminee} from './examinee.ts'

export interface RealVolumes extends AsyncDisposable {
  /** As it calls itself. */
  readonly driver: {readonly name: string; readonly vendorVersion: string}
  /** Each with the volume that was made for it. */
  readonly claims: readonly BoundClaim[]
  /** What attaching each brought, by its handle. */
  readonly publishContexts: ReadonlyMap<string, Readonly<Record<string, string>>>
}

export interface RealVolumesOptions {
  /** 'unix:///csi/csi.sock' */
  readonly endpoint: string
  /** Of the machine. */
  readonly clock: Clock
  /** Of the volumes' names: not those of another run. */
  readonly dice: Dice
  readonly signal: AbortSignal
}

/** @throws UserError when it makes none */
export async function makeRealVolumes(claims: readonly BoundClaim[], options: RealVolumesOptions): Promise<RealVolumes> {
  const {endpoint, clock, dice, signal} = options
  const {path} = parseSocketAddress(endpoint, '--csi-endpoint')
  const own: ScaledClock = scaledClock(clock, 1)
  await using undone = new AsyncDisposableStack()
  try {
    const driver = await openExaminee({path, clock: own, signal})
    if (claims.length > 0 && !driver.makesVolumes) throw noController(endpoint)
    // After somebody wanted it to stop, too.
    const {deleteVolume} = claims.length === 0 ? driver : await openExaminee({path, clock: own, signal: new AbortController().signal})
    const publishContexts = new Map<string, Readonly<Record<string, string>>>()
    const bound: BoundClaim[] = []
    for (const claim of claims) {
      const {fsType = '', volumeMode: mode} = claim
      const made = await driver.createVolume({name: `kubelimbo-${uuid(dice)}`, mode, fsType, parameters: {}})
      // What cannot be removed is the driver's to tell: the run has shown what it has shown.
      undone.defer(() => deleteVolume(made.handle).catch(() => undefined))
      publishContexts.set(made.handle, made.publishContext)
      bound.push({...claim, volumeHandle: made.handle, volumeAttributes: made.context})
    }
    const {name, vendorVersion} = driver
    const end = undone.move()
    return {driver: {name, vendorVersion}, claims: bound, publishContexts, [Symbol.asyncDispose]: () => end.disposeAsync()}
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof CallFailure)) throw error
    throw new UserError(`Cannot play scenarios on the driver as ${endpoint} must answer: ${error.code} ${firstLine(error)}`, {
      hint: 'start it first, and name its own socket, not that of its registration',
      exit: exitCodes.blind,
      cause: error,
    })
  }
}

const noController = (endpoint: string) =>
  new UserError(
    `Cannot play scenarios on the driver as ${endpoint} must have a controller that makes volumes (CREATE_DELETE_VOLUME): it has none`,
    {
      hint: 'most drivers serve both on one socket when they are told to',
    },
  )
