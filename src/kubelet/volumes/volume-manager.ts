// Gets the pods' volumes staged, published, and undone again. Upstream: volumemanager/volume_manager.go
import type {Disk} from '../disk.ts'
import {type Pod, podKey} from '../pod.ts'
import type {Known, PodManager} from '../pod-manager.ts'
import type {KubeletPorts} from '../ports.ts'
import {ActualWorld} from './actual-world.ts'
import {csiAttacher} from './csi-attacher.ts'
import {csiBlock} from './csi-block.ts'
import {csiClients} from './csi-client.ts'
import type {CsiHost} from './csi-host.ts'
import {csiMounter} from './csi-mounter.ts'
import {podsDir, podVolumesDir} from './csi-paths.ts'
import {DesiredWorld} from './desired-world.ts'
import {diskOf} from './disk-steps.ts'
import {blockOperations} from './map-operations.ts'
import {filesystemOperations} from './operation-generator.ts'
import {orphanedPodDirs} from './orphaned-pod-dirs.ts'
import {pendingOperations} from './pending-operations.ts'
import type {PodStates} from './pod-states.ts'
import {namesIn, podVolumePaths} from './pod-volumes-on-disk.ts'
import {type PopulatorOptions, populator} from './populator.ts'
import {reconciler} from './reconciler.ts'
import {type ReconstructOptions, reconstructUncertain, syncStates} from './reconstruct-volumes.ts'
import {type SeenVolumes, seenVolumes} from './seen-volumes.ts'
import {uncertainAtStart} from './uncertain-at-start.ts'
import {usedVolumes} from './used-volumes.ts'
import {volumeLoops} from './volume-loops.ts'
import type {VolumeSpec} from './volume-spec.ts'
import {waitForVolumes} from './wait-for-volumes.ts'

export interface VolumeManager {
  /** Resolves when all volumes of the pod are mounted; rejects after 2 min 3 s. */
  waitForAttachAndMount(pod: Pod, signal: AbortSignal): Promise<void>
  /** Resolves when none is known to be mounted any more; rejects after 2 min 3 s. */
  waitForUnmount(pod: Pod, signal: AbortSignal): Promise<void>
  /** A promise when the disk has to be asked. */
  podVolumesExist(uid: string): boolean | Promise<boolean>
  /** @param running pods that the runtime has something running of */
  cleanupOrphanedPodDirs(running: () => Promise<Known>): Promise<void>
  /** By their names in the pod. Upstream: GetMountedVolumesForPod */
  mountedVolumes(pod: Pod): ReadonlyMap<string, VolumeSpec>
  seen(): SeenVolumes
  /** There is a pod with volumes that may be new. */
  podAdded(): void
}

export interface VolumeManagerOptions extends Pick<PopulatorOptions, 'profile' | 'podManager' | 'getClaim'> {
  readonly podStates: PodStates
  readonly ports: Pick<KubeletPorts, 'clock' | 'dice' | 'csi' | 'disk' | 'log' | 'believe'>
  readonly nodeName: string
  /** The API server has said which pods there are. */
  readonly sourcesReady: () => boolean
  readonly signal: AbortSignal
  readonly spawn: (work: Promise<unknown>) => void
}

export function startVolumeManager(options: VolumeManagerOptions): VolumeManager {
  const {profile, podManager, nodeName, ports, signal, spawn} = options
  const {clock} = ports
  // What a step makes of its being cut short is nobody's to read.
  const log: KubeletPorts['log'] = (event) => {
    if (!signal.aborted) ports.log(event)
  }
  const disk: Disk = diskOf(ports.disk, signal)
  const clients = csiClients({profile, clock, csi: ports.csi, signal})
  const host: CsiHost = {profile, disk, clients, nodeName, log}
  const failedUndoIsUncertain = profile.switches.has('failed-unmount-uncertain')
  const uncertainHolds = profile.switches.has('uncertain-holds-pod')

  const desired = new DesiredWorld()
  const actual = new ActualWorld(profile, ({name, spec}, state, pod) => {
    if (!signal.aborted) ports.believe({volume: spec.name, uniqueName: name, state, ...(pod?.pod && {pod: pod.pod})})
  })
  const pending = pendingOperations({profile, clock, log, signal, spawn})
  const mounter = csiMounter(host)
  const block = csiBlock(host)
  const generating = {host, actual, failedUndoIsUncertain}
  const filesystem = filesystemOperations({...generating, attacher: csiAttacher(host), mounter})
  const reconcile = reconciler({
    profile,
    desired,
    actual,
    pending,
    filesystem,
    block: blockOperations({...generating, block}),
    log,
    signal,
  })
  const populate = populator({...options, desired, actual, log})
  const reconstructing: ReconstructOptions = {profile, host, mounter, block, desired, actual, pending, reconciler: reconcile, signal}
  const reconstruction = (uncertainAtStart(profile) ? reconstructUncertain : syncStates)(reconstructing)

  const loops = volumeLoops({
    ...options,
    clock,
    dice: ports.dice,
    populate,
    reconcile,
    reconstruction,
    isIdle: () => desired.isEmpty && actual.isEmpty && !hasVolumes(podManager),
    hasLeftovers: async () => (await namesIn(disk, podsDir)).length > 0,
  })
  const paths = podVolumePaths(profile, disk)
  const wait = waitForVolumes({profile, clock, signal, desired, actual})

  const podVolumesExist = (uid: string): boolean | Promise<boolean> => {
    if (uncertainHolds ? actual.hasPossiblyMounted(uid) : actual.hasMounted(uid)) return true
    const pod = podManager.getPodByUID(uid)
    if (pod !== undefined && (pod.spec.volumes ?? []).length === 0) return false
    return paths.anyMounted(uid)
  }
  const removeOrphans = orphanedPodDirs({profile, disk, podVolumePaths: paths, podVolumesExist, log, signal})

  return {
    waitForAttachAndMount: async (pod, cut) => {
      const {uid} = pod.metadata
      if (usedVolumes(pod).length === 0) return
      // Upstream: makePodDataDirs, for each pod
      await disk.mkdirAll(podVolumesDir(uid))
      populate.reprocessPod(uid)
      await wait.untilMounted(pod, cut)
    },
    waitForUnmount: async (pod, cut) => {
      if (usedVolumes(pod).length === 0) return
      populate.reprocessPod(pod.metadata.uid)
      await wait.untilUnmounted(pod, cut)
      log({text: 'All volumes are unmounted for pod', pod: podKey(pod)})
    },
    podVolumesExist,
    cleanupOrphanedPodDirs: (running) =>
      removeOrphans(async () => {
        const alive = await running()
        return {has: (uid) => podManager.has(uid) || alive.has(uid)}
      }),
    mountedVolumes: (pod) => {
      const {uid} = pod.metadata
      const mounted = new Map<string, VolumeSpec>()
      for (const {name} of usedVolumes(pod)) {
        const entry = actual.get(desired.volumeName(uid, name) ?? '')?.pods.get(uid)
        if (entry?.state === 'VolumeMounted') mounted.set(name, entry.pod.spec)
      }
      return mounted
    },
    seen: () => seenVolumes(desired, actual),
    podAdded: loops.wake,
  }
}

function hasVolumes(podManager: PodManager): boolean {
  for (const _ of podManager.withVolumes()) return true
  return false
}
