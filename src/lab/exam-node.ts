// A node for one case of an exam: the driver and the disk are real, the runtime and the API server are the lab's, and time goes on by itself.
import {realpath} from 'node:fs/promises'
import type {Clock} from '../base/clock.ts'
import {makeNamedDirectory} from '../base/make-directory.ts'
import {onAbort} from '../base/on-abort.ts'
import {scaledClock} from '../base/scaled-clock.ts'
import type {Disk} from '../kubelet/disk.ts'
import type {CsiPort} from '../kubelet/ports.ts'
import {clearAway} from './disk/clear-away.ts'
import {pathMap} from './disk/path-map.ts'
import {realDisk} from './disk/real-disk.ts'
import {watchedDisk} from './disk/watched-disk.ts'
import {runningClock} from './lab-clock.ts'
import {type LabNode, type LabOptions, startLabNode} from './lab-node.ts'
import {remoteCsi} from './remote/remote-csi.ts'
import {remoteDriver} from './remote/remote-driver.ts'

export interface ExamNodeOptions {
  /** Of the driver's socket. */
  readonly path: string
  readonly driver: {readonly name: string; readonly vendorVersion: string}
  /** What the kubelet calls /var/lib/kubelet, for this case alone. */
  readonly root: string
  readonly clock: Clock
  readonly scale: number
  readonly restart?: () => void
  /** Of the one volume. */
  readonly publishContext: Readonly<Record<string, string>>
  /** Ends the case before its time. */
  readonly signal: AbortSignal
}

/** Ten looks in a second of the kubelet's. */
const lookEvery = 100

export async function startExamNode(
  options: LabOptions,
  {path, driver, root, clock: real, scale, restart, publishContext, signal}: ExamNodeOptions,
): Promise<LabNode> {
  await makeNamedDirectory(root, 0o750, '--root')
  const resolved = await realpath(root)
  const over = new AbortController()
  const stay = onAbort(signal, () => over.abort(signal.reason))
  const clock = scaledClock(real, scale, options.start)
  const running = runningClock(clock, over.signal)
  const disk = realDisk({root: resolved})
  const {toReal} = pathMap(resolved)
  let port: CsiPort | undefined
  const node = startLabNode({
    ...options,
    parts: {
      clock: running,
      disk: (tell) => watchedDisk({disk, root: resolved, clock: running, every: lookEvery, tell}),
      driver: (_, nameOf) => {
        const podNames = (uid: string) => {
          const [namespace, name] = nameOf(uid)?.split('/') ?? []
          return namespace === undefined || name === undefined ? undefined : {namespace, name}
        }
        port = remoteCsi({path, clock, realPath: toReal, podNames, publishContext})
        return remoteDriver({
          ...driver,
          port,
          ...(restart && {restart}),
        })
      },
    },
  })
  return {
    ...node,
    end: async () => {
      stay()
      over.abort(new Error('the case is over'))
      if (port !== undefined) await undo(port, disk, node)
      await clearAway(disk, resolved)
    },
  }
}

/** The driver is left as it was found, if it lets us: each volume is taken down wherever the kubelet may have set it up. */
async function undo(port: CsiPort, disk: Required<Disk>, {timeline}: LabNode): Promise<void> {
  const targets = new Map<string, string>()
  const stagings = new Map<string, string>()
  for (const event of timeline.events) {
    if (event.kind !== 'call' || event.to !== 'csi') continue
    const {volume, targetPath, stagingTargetPath} = event.request as Readonly<Record<string, string | undefined>>
    if (volume === undefined) continue
    if (targetPath !== undefined) targets.set(targetPath, volume)
    if (stagingTargetPath !== undefined) stagings.set(stagingTargetPath, volume)
  }
  const options = {timeoutMs: undoWithin}
  for (const [targetPath, volumeId] of targets) {
    // The kubelet's own, which holds a raw block volume.
    await disk.detachFileDevice(targetPath).catch(() => undefined)
    await port.call('NodeUnpublishVolume', {volumeId, targetPath}, options).catch(() => undefined)
  }
  for (const [stagingTargetPath, volumeId] of stagings)
    await port.call('NodeUnstageVolume', {volumeId, stagingTargetPath}, options).catch(() => undefined)
}

/** Of the kubelet's time. */
const undoWithin = 60_000
