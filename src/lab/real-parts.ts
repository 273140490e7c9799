// The parts of a lab's node that are real: what somebody names an endpoint of, on a clock that goes by itself.
import {mkdtemp, rm} from 'node:fs/promises'
import {join} from 'node:path'
import type {Clock} from '../base/clock.ts'
import type {Dice} from '../base/dice.ts'
import {onAbort} from '../base/on-abort.ts'
import {scaledClock} from '../base/scaled-clock.ts'
import {runningClock} from './lab-clock.ts'
import type {RealParts} from './lab-node.ts'
import {podLogs} from './remote/pod-logs.ts'
import {realDriver} from './remote/real-driver.ts'
import {openRealRuntime} from './remote/real-runtime.ts'
import type {RealVolumes} from './remote/real-volumes.ts'

export interface RealPartsOptions {
  /** When the lab begins, by its clock. */
  readonly start: number
  /** Of the machine. */
  readonly clock: Clock
  /** The lab's clock runs that many times as fast. */
  readonly scale: number
  readonly runtimeEndpoint?: string
  readonly csiEndpoint?: string
  /** Those of that driver. */
  readonly volumes?: RealVolumes
  /** Where there is to be the folder that the kubelet calls /var/lib/kubelet: a driver must see it under the same name. Default: where other files are. */
  readonly root?: string
  /** In place of all that scenarios name. */
  readonly image?: string
  /** Of the pods, as the runtime has them. Default: none, which leaves it to the runtime. */
  readonly cgroupParent?: string
  /** Of the pods' uids: not those of another run. */
  readonly uids: Dice
  /** Where there may be a folder for files. */
  readonly temporary: string
  /** Somebody wants it to stop: the lab's time goes no further. */
  readonly signal: AbortSignal
}

/** @throws UserError when an endpoint cannot be used */
export async function realParts(options: RealPartsOptions): Promise<RealParts> {
  const {start, scale, runtimeEndpoint, csiEndpoint, volumes, image, cgroupParent, uids, temporary, signal} = options
  const over = new AbortController()
  const stay = onAbort(signal, () => over.abort(signal.reason))
  const clock = runningClock(scaledClock(options.clock, scale, start), over.signal)
  await using undone = new AsyncDisposableStack()
  undone.defer(stay)
  const folder = await mkdtemp(join(temporary, 'kubelimbo-'))
  undone.defer(() => rm(folder, {recursive: true, force: true}))
  // A driver whose volumes nobody has made is not asked for any.
  const driver =
    csiEndpoint === undefined || volumes === undefined
      ? undefined
      : await realDriver({endpoint: csiEndpoint, volumes, parent: options.root ?? temporary, clock, signal: over.signal})
  if (driver !== undefined) undone.defer(driver.end)
  const runtime =
    runtimeEndpoint === undefined
      ? undefined
      : await openRealRuntime({
          endpoint: runtimeEndpoint,
          clock,
          logs: podLogs(join(folder, 'pod-logs')),
          ...(cgroupParent !== undefined && {cgroupParent}),
          ...(image !== undefined && {image}),
          ...(driver !== undefined && {realPath: driver.realPath}),
          signal: over.signal,
        })
  if (runtime !== undefined) undone.defer(runtime.end)
  undone.defer(() => over.abort(new Error('the lab has ended')))
  const end = undone.move()
  return {
    clock,
    uids,
    ...(runtime && {runtime: runtime.start}),
    ...(driver && {disk: driver.disk, driver: driver.driver}),
    end: () => end.disposeAsync(),
  }
}
