// A core/v1 Event about a pod.

export interface PodEvent {
  readonly namespace: string
  readonly name: string
  readonly uid: string
  readonly reason: string
  readonly message: string
  readonly type: string
  /** Milliseconds since 1970, of its last occurrence. */
  readonly lastAt?: number
  readonly count: number
}
