// What a switch of the model is: one change of the kubelet.

export interface Switch {
  readonly name: string
  /** The first version seen with it. */
  readonly since: string
  readonly why: string
  /** Upstream issue or pull request. */
  readonly issue: string
  /**
   * [U] What of it is not certain. `since`: no version between it and one that lacks the change was read. `issue`: neither the sources nor a
   * thread that was read say the number.
   */
  readonly unverified?: 'since' | 'since and issue'
}
