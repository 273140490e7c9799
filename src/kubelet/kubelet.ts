// Upstream: kubelet.go

import type {KubeletConfig, KubeletPorts} from './ports.ts'
import type {Profile} from './profiles.ts'

export interface Kubelet {
  /** What a container's readiness probe says from now on. */
  readiness(uid: string, container: string, ready: boolean): void
  /** The eviction manager chose this pod. */
  evict(uid: string, message: string): void
}

export interface KubeletOptions {
  readonly profile: Profile
  readonly config: KubeletConfig
  readonly ports: KubeletPorts
  /** Its process ends: what it knew is gone, calls in flight are cut. */
  readonly signal: AbortSignal
}

export declare function startKubelet(options: KubeletOptions): Kubelet
