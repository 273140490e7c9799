// What the volume manager believes is attached, staged and published. Upstream: volumemanager/cache/actual_state_of_world.go
import type {Profile} from '../profiles.ts'
import type {VolumeSpec} from './volume-spec.ts'

export type DeviceMountState = 'DeviceNotMounted' | 'DeviceMountUncertain' | 'DeviceGloballyMounted'
export type VolumeMountState = 'VolumeNotMounted' | 'VolumeMountUncertain' | 'VolumeMounted'

export interface MountedPod {
  readonly uid: string
  /** 'namespace/name'; absent of what an earlier kubelet left. */
  readonly pod?: string
  readonly spec: VolumeSpec
}

export interface AttachedVolume {
  readonly name: string
  readonly spec: VolumeSpec
  readonly device: DeviceMountState
  readonly pods: ReadonlyMap<string, {readonly pod: MountedPod; readonly state: VolumeMountState}>
}

/** The state that something has come to. */
export type OnChange = (volume: AttachedVolume, state: DeviceMountState | VolumeMountState, pod?: MountedPod) => void

interface Attached extends AttachedVolume {
  device: DeviceMountState
  readonly pods: Map<string, {pod: MountedPod; state: VolumeMountState}>
  /** Pods whose entry an earlier kubelet left; absent when there was none. */
  found?: Set<string>
}

export class ActualWorld {
  readonly #volumes = new Map<string, Attached>()
  /** Of each pod, the volumes that have an entry of it. */
  readonly #byPod = new Map<string, Set<string>>()
  readonly #reconstructedKept: boolean
  readonly #changed: OnChange

  constructor(profile: Profile, changed: OnChange) {
    this.#reconstructedKept = profile.switches.has('reconstructed-kept')
    this.#changed = changed
  }

  get isEmpty(): boolean {
    return this.#volumes.size === 0
  }

  get(name: string): AttachedVolume | undefined {
    return this.#volumes.get(name)
  }

  /** All of them, as they are now: they may change while the caller goes on. */
  all(): readonly AttachedVolume[] {
    return [...this.#volumes.values()]
  }

  attached(name: string, spec: VolumeSpec): void {
    if (!this.#volumes.has(name)) this.#volumes.set(name, {name, spec, device: 'DeviceNotMounted', pods: new Map()})
  }

  detached(name: string): void {
    if (this.#volumes.get(name)?.pods.size === 0) this.#volumes.delete(name)
  }

  deviceState(name: string): DeviceMountState {
    return this.#volumes.get(name)?.device ?? 'DeviceNotMounted'
  }

  setDevice(name: string, state: DeviceMountState): void {
    const volume = this.#existing(name)
    const before = volume.device
    volume.device = state
    if (before !== state) this.#changed(volume, state)
  }

  mountState(name: string, podUid: string): VolumeMountState {
    return this.#volumes.get(name)?.pods.get(podUid)?.state ?? 'VolumeNotMounted'
  }

  setMount(name: string, pod: MountedPod, state: Exclude<VolumeMountState, 'VolumeNotMounted'>): void {
    const volume = this.#existing(name)
    const before = volume.pods.get(pod.uid)?.state
    volume.pods.set(pod.uid, {pod, state})
    this.#indexed(pod.uid).add(name)
    if (state === 'VolumeMounted') volume.found?.delete(pod.uid)
    if (before !== state) this.#changed(volume, state, pod)
  }

  unmounted(name: string, podUid: string): void {
    const volume = this.#volumes.get(name)
    const entry = volume?.pods.get(podUid)
    if (volume === undefined || entry === undefined) return
    volume.pods.delete(podUid)
    volume.found?.delete(podUid)
    const names = this.#indexed(podUid)
    names.delete(name)
    if (names.size === 0) this.#byPod.delete(podUid)
    this.#changed(volume, 'VolumeNotMounted', entry.pod)
  }

  /** What an earlier kubelet left: it may be mounted. */
  foundUncertain(name: string, pod: MountedPod): boolean {
    const volume = this.#existing(name)
    if (volume.pods.has(pod.uid)) return false
    volume.found ??= new Set()
    volume.found.add(pod.uid)
    this.setMount(name, pod, 'VolumeMountUncertain')
    return true
  }

  isReconstructed(name: string, podUid: string): boolean {
    const volume = this.#volumes.get(name)
    return volume?.pods.get(podUid)?.state === 'VolumeMountUncertain' && volume.found?.has(podUid) === true
  }

  /** Whether what an earlier kubelet left there is spared when the target's publishing fails for good. */
  isReconstructedKept(name: string, podUid: string): boolean {
    return this.#reconstructedKept && this.isReconstructed(name, podUid)
  }

  /** Once it was, it is, until it is detached. */
  isDeviceReconstructed(name: string): boolean {
    return this.#reconstructedKept && this.#volumes.get(name)?.found !== undefined
  }

  /** The names of volumes that are known to be mounted for the pod, sorted. */
  mountedNames(podUid: string): readonly string[] {
    return [...(this.#byPod.get(podUid) ?? [])].filter((name) => this.mountState(name, podUid) === 'VolumeMounted').sort()
  }

  hasMounted(podUid: string): boolean {
    return this.mountedNames(podUid).length > 0
  }

  hasPossiblyMounted(podUid: string): boolean {
    return this.#byPod.has(podUid)
  }

  hasSpecName(podUid: string, specName: string): boolean {
    return [...(this.#byPod.get(podUid) ?? [])].some((name) => this.#volumes.get(name)?.pods.get(podUid)?.pod.spec.name === specName)
  }

  #existing(name: string): Attached {
    const volume = this.#volumes.get(name)
    if (volume === undefined) throw new Error(`no volume with the name "${name}" exists in the list of attached volumes`)
    return volume
  }

  #indexed(podUid: string): Set<string> {
    const names = this.#byPod.get(podUid) ?? new Set()
    this.#byPod.set(podUid, names)
    return names
  }
}
