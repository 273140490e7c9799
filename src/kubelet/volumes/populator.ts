// Keeps the desired world up with the pods. Upstream: volumemanager/populator/desired_state_of_world_populator.go
import {type BoundClaim, type Pod, podKey, type Volume} from '../pod.ts'
import type {PodManager} from '../pod-manager.ts'
import type {KubeletPorts} from '../ports.ts'
import type {Profile} from '../profiles.ts'
import type {ActualWorld} from './actual-world.ts'
import {textOf} from './csi-host.ts'
import type {DesiredWorld, VolumeToMount} from './desired-world.ts'
import type {PodStates} from './pod-states.ts'
import {usedVolumes} from './used-volumes.ts'
import {claimedSpec, podsOwnSpec, uniqueNameOf, type VolumeSpec} from './volume-spec.ts'

export interface PopulatorOptions {
  readonly profile: Profile
  readonly podManager: PodManager
  readonly podStates: PodStates
  readonly desired: DesiredWorld
  readonly actual: ActualWorld
  /** @throws when the API server does not say */
  readonly getClaim: (namespace: string, name: string) => Promise<BoundClaim>
  readonly log: KubeletPorts['log']
  readonly signal: AbortSignal
}

export interface Populator {
  loop(populated: boolean): Promise<void>
  /** The pod's volumes are looked up again. */
  reprocessPod(uid: string): void
}

export function populator(options: PopulatorOptions): Populator {
  const {profile, podManager, podStates, desired, actual, getClaim, log, signal} = options
  const failedWait = profile.switches.has('failed-claims-wait')
  const uncertainGoes = profile.switches.has('uncertain-undone-early')
  /** True: they are all known; false: they are to be looked up again. */
  const processed = new Map<string, boolean>()

  const specOf = async (pod: Pod, volume: Volume): Promise<VolumeSpec> => {
    if ('csi' in volume) return podsOwnSpec(pod.metadata.uid, volume.name, volume.csi)
    return claimedSpec(await getClaim(pod.metadata.namespace, volume.persistentVolumeClaim.claimName))
  }

  const processPodVolumes = async (pod: Pod): Promise<void> => {
    const {uid} = pod.metadata
    let allAdded = true
    for (const volume of usedVolumes(pod)) {
      try {
        const spec = await specOf(pod, volume)
        desired.add(uniqueNameOf(spec, uid), volume.name, pod, spec)
      } catch (error) {
        signal.throwIfAborted()
        log({text: 'Error processing volume', pod: podKey(pod), fields: {volume: volume.name, err: textOf(error)}})
        desired.addError(uid, textOf(error))
        allAdded = false
      }
    }
    // One that could not be looked up once it was seen waits for the next sync of the pod.
    if (allAdded || (failedWait && processed.has(uid))) processed.set(uid, true)
    if (allAdded) desired.popErrors(uid)
  }

  const findAndAddNewPods = async (populated: boolean): Promise<void> => {
    for (const pod of podManager.withVolumes()) {
      if (processed.get(pod.metadata.uid) !== true && podStates.wantsVolumes(pod, populated)) await processPodVolumes(pod)
    }
  }

  /** A volume that never came is kept while the pod's object is there: it is tried again and again. */
  const neverCame = ({volumeName, pod}: VolumeToMount): boolean => {
    const state = actual.mountState(volumeName, pod.metadata.uid)
    return state === 'VolumeNotMounted' || (state === 'VolumeMountUncertain' && !uncertainGoes)
  }

  const findAndRemoveDeletedPods = async (): Promise<void> => {
    const pass = podStates.removalPass()
    if (pass === undefined) return
    for (const volume of desired.all()) {
      const {uid} = volume.pod.metadata
      const known = podManager.getPodByUID(uid)
      const may = pass.mayLoseVolumes(uid, known)
      if (may === false || !(await may)) continue
      if (known !== undefined && neverCame(volume)) continue
      log({text: 'Removing volume from desired state', pod: podKey(volume.pod), fields: {volume: volume.spec.name}})
      desired.remove(volume.volumeName, uid)
      processed.delete(uid)
    }
    for (const uid of processed.keys()) if (!podManager.has(uid)) processed.delete(uid)
    for (const uid of desired.podsWithErrors()) if (!podManager.has(uid)) desired.popErrors(uid)
  }

  return {
    loop: async (populated) => {
      await findAndAddNewPods(populated)
      await findAndRemoveDeletedPods()
    },
    reprocessPod: (uid) => void (failedWait ? processed.set(uid, false) : processed.delete(uid)),
  }
}
