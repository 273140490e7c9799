// A real CSI driver with a real disk as those of a lab's node. What it was told to stage and to publish and not to undo is undone in the end: that is what some
// scenarios are about.

import {mkdtemp, realpath} from 'node:fs/promises'
import {join} from 'node:path'
import type {Clock} from '../../base/clock.ts'
import {UserError} from '../../base/errors.ts'
import {makeNamedDirectory} from '../../base/make-directory.ts'
import {type ScaledClock, scaledClock} from '../../base/scaled-clock.ts'
import type {CsiMethods} from '../../kubelet/csi.ts'
import {CallFailure} from '../../kubelet/port.ts'
import type {CsiPort} from '../../kubelet/ports.ts'
import {parseSocketAddress} from '../../wire/socket-address.ts'
import {clearAway} from '../disk/clear-away.ts'
import {pathMap} from '../disk/path-map.ts'
import {realDisk} from '../disk/real-disk.ts'
import {watchedDisk} from '../disk/watched-disk.ts'
import type {LabClock} from '../lab-clock.ts'
import type {RealParts} from '../lab-node.ts'
import type {RealVolumes} from './real-volumes.ts'
import {remoteCsi} from './remote-csi.ts'
import {remoteDriver} from './remote-driver.ts'

export interface RealDriverOptions {
  readonly endpoint: string
  readonly volumes: RealVolumes
  /** Where there is to be the folder that the kubelet calls /var/lib/kubelet: the driver must see it under the same name. */
  readonly parent: string
  /** The kubelet's. */
  readonly clock: LabClock & ScaledClock
  /** The kubelet's calls are over, those that nobody waits for, too. */
  readonly signal: AbortSignal
}

/** Ten looks in a second of the kubelet's, as often as its volume manager does. */
const lookEvery = 100

/** For a driver that hangs. */
const patience = {timeoutMs: 10_000}

const tries = 20
const pauseMs = 500

export interface RealDriver extends Required<Pick<RealParts, 'disk' | 'driver' | 'end'>> {
  /** Of the kubelet's paths. */
  readonly realPath: (path: string) => string
}

export async function realDriver({endpoint, volumes, parent, clock, signal}: RealDriverOptions): Promise<RealDriver> {
  const {path} = parseSocketAddress(endpoint, '--csi-endpoint')
  await makeNamedDirectory(parent, 0o755, '--root')
  // The kernel's tables have resolved paths, and so do the drivers'.
  const root = await mkdtemp(join(await realpath(parent), 'kubelet-'))
  const disk = realDisk({root})
  const {toReal: realPath} = pathMap(root)
  const owed = owedCalls()
  const portOf = (own: ScaledClock, podNames: Parameters<typeof remoteCsi>[0]['podNames']): CsiPort => ({
    call: (method, request, options) => {
      const {volumeId} = request as {readonly volumeId?: string}
      const publishContext = volumes.publishContexts.get(volumeId ?? '') ?? {}
      return remoteCsi({path, clock: own, realPath, podNames, publishContext}).call(method, request, options)
    },
  })
  return {
    realPath,
    disk: (tell) => watchedDisk({disk, root, clock, every: lookEvery, tell}),
    driver: (_, nameOf) => {
      const podNames = (uid: string) => {
        const [namespace, name] = nameOf(uid)?.split('/') ?? []
        return namespace === undefined || name === undefined ? undefined : {namespace, name}
      }
      return remoteDriver({
        ...volumes.driver,
        port: owed.noting(portOf(clock, podNames), signal),
        restart: () => {
          throw new UserError('Cannot restart a real driver: only one in memory does as it is told')
        },
      })
    },
    end: async () => {
      const port = portOf(scaledClock(clock.real, 1), () => undefined)
      // Where a driver does not undo it, its mounts are taken away all the same.
      for (const undo of owed.left()) await tried(port, undo, clock.real)
      await clearAway(disk, root)
    },
  }
}

type Undo =
  | {readonly method: 'NodeUnpublishVolume'; readonly request: CsiMethods['NodeUnpublishVolume']['request']}
  | {readonly method: 'NodeUnstageVolume'; readonly request: CsiMethods['NodeUnstageVolume']['request']}

/** What nobody waits for any more may still be under way, and is in the way of its undoing. */
async function tried(port: CsiPort, {method, request}: Undo, clock: Clock): Promise<void> {
  for (let each = 0; each < tries; each++) {
    try {
      return void (await port.call(method, request, patience))
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error
      if (error.code !== 'ABORTED') return
      await clock.sleep(pauseMs)
    }
  }
}

/** What was begun counts, whatever came of it. */
function owedCalls() {
  const staged = new Map<string, Undo>()
  const published = new Map<string, Undo>()
  const begin = (method: string, request: object) => {
    const {volumeId, stagingTargetPath, targetPath} = request as CsiMethods['NodePublishVolume']['request']
    if (method === 'NodeStageVolume' && stagingTargetPath !== undefined)
      staged.set(`${volumeId} ${stagingTargetPath}`, {method: 'NodeUnstageVolume', request: {volumeId, stagingTargetPath}})
    if (method === 'NodePublishVolume')
      published.set(`${volumeId} ${targetPath}`, {method: 'NodeUnpublishVolume', request: {volumeId, targetPath}})
  }
  const undone = (method: string, request: object) => {
    const {volumeId, stagingTargetPath, targetPath} = request as CsiMethods['NodePublishVolume']['request']
    if (method === 'NodeUnstageVolume') staged.delete(`${volumeId} ${stagingTargetPath}`)
    if (method === 'NodeUnpublishVolume') published.delete(`${volumeId} ${targetPath}`)
  }
  return {
    noting: (port: CsiPort, end: AbortSignal): CsiPort => ({
      call: async (method, request, options) => {
        begin(method, request)
        const signal = options.signal === undefined ? end : AbortSignal.any([end, options.signal])
        const answer = await port.call(method, request, {...options, signal})
        undone(method, request)
        return answer
      },
    }),
    /** In the order in which they may be done. */
    left: (): readonly Undo[] => [...published.values(), ...staged.values()],
  }
}
