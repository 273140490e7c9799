// A whole node in memory: API server, runtime and kubelet on one simulated clock, with faults between them.
import type {Rule} from '../faults/rule.ts'
import type {KubeletConfig} from '../kubelet/ports.ts'
import type {Profile} from '../kubelet/profiles.ts'
import type {Timeline} from '../timeline/timeline.ts'
import type {PodManifest} from './pod-manifest.ts'

export interface LabNode {
  readonly timeline: Timeline
  /** Milliseconds since 1970. */
  now(): number
  /** Goes on to that moment. */
  run(until: number): Promise<void>
  /** What a client does at the API server. Each rejects as the server would: 'NotFound', 'AlreadyExists'. */
  readonly client: {
    createPod(manifest: PodManifest): Promise<void>
    /** @param gracePeriodSeconds absent: the pod's own */
    deletePod(pod: string, gracePeriodSeconds?: number): Promise<void>
    removeFinalizers(pod: string): Promise<void>
  }
  /** What somebody does at the runtime, behind the kubelet's back. */
  readonly runtime: {
    killContainer(pod: string, container: string, exitCode: number): void
    removeContainer(pod: string, container: string): void
  }
  readonly kubelet: {
    restart(downMs: number): void
    evict(pod: string, message: string): void
    readiness(pod: string, container: string, ready: boolean): void
  }
  readonly faults: {add(rule: Rule): void; remove(name: string): void}
}

export interface LabOptions {
  readonly profile: Profile
  readonly seed: number
  /** Milliseconds since 1970. */
  readonly start: number
  readonly config?: KubeletConfig
  readonly rules?: readonly Rule[]
}

export declare function startLabNode(options: LabOptions): LabNode
