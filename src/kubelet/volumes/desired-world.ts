// Which volumes are to be there, for which pods. Upstream: volumemanager/cache/desired_state_of_world.go
import type {Pod} from '../pod.ts'
import type {VolumeSpec} from './volume-spec.ts'

export interface VolumeToMount {
  readonly volumeName: string
  readonly pod: Pod
  readonly spec: VolumeSpec
}

export class DesiredWorld {
  readonly #volumes = new Map<string, Map<string, VolumeToMount>>()
  /** Of each pod, its volumes by their names in it. */
  readonly #byPod = new Map<string, Map<string, string>>()
  readonly #errors = new Map<string, Set<string>>()

  get isEmpty(): boolean {
    return this.#volumes.size === 0 && this.#errors.size === 0
  }

  add(volumeName: string, outerName: string, pod: Pod, spec: VolumeSpec): void {
    const {uid} = pod.metadata
    const pods = this.#volumes.get(volumeName) ?? new Map<string, VolumeToMount>()
    this.#volumes.set(volumeName, pods)
    pods.set(uid, {volumeName, pod, spec})
    const names = this.#byPod.get(uid) ?? new Map<string, string>()
    this.#byPod.set(uid, names)
    names.set(outerName, volumeName)
  }

  remove(volumeName: string, podUid: string): void {
    const pods = this.#volumes.get(volumeName)
    pods?.delete(podUid)
    if (pods?.size === 0) this.#volumes.delete(volumeName)
    const names = this.#byPod.get(podUid)
    for (const [outer, name] of names ?? []) if (name === volumeName) names?.delete(outer)
    if (names?.size === 0) this.#byPod.delete(podUid)
  }

  all(): readonly VolumeToMount[] {
    return [...this.#volumes.values()].flatMap((pods) => [...pods.values()])
  }

  has(volumeName: string): boolean {
    return this.#volumes.has(volumeName)
  }

  hasPod(volumeName: string, podUid: string): boolean {
    return this.#volumes.get(volumeName)?.has(podUid) ?? false
  }

  hasSpecName(podUid: string, specName: string): boolean {
    return [...(this.#byPod.get(podUid)?.values() ?? [])].some((name) => this.#volumes.get(name)?.get(podUid)?.spec.name === specName)
  }

  volumeName(podUid: string, outerName: string): string | undefined {
    return this.#byPod.get(podUid)?.get(outerName)
  }

  addError(podUid: string, error: string): void {
    const errors = this.#errors.get(podUid) ?? new Set()
    this.#errors.set(podUid, errors.add(error))
  }

  popErrors(podUid: string): readonly string[] {
    const errors = [...(this.#errors.get(podUid) ?? [])]
    this.#errors.delete(podUid)
    return errors
  }

  podsWithErrors(): readonly string[] {
    return [...this.#errors.keys()]
  }
}
