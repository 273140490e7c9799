// Ends a pod that has run for longer than it may. Upstream: active_deadline.go
import type {Clock} from '../../base/clock.ts'
import type {Pod, PodStatus} from '../pod.ts'

export interface ActiveDeadline {
  /** Upstream: both ShouldSync and ShouldEvict */
  isPast(pod: Pod): boolean
}

export const deadlineExceeded = {
  reason: 'DeadlineExceeded',
  message: 'Pod was active on the node longer than the specified deadline',
} as const

/** @param getPodStatus of the status manager's cache */
export function activeDeadline(clock: Clock, getPodStatus: (uid: string) => PodStatus | undefined): ActiveDeadline {
  return {
    isPast: (pod) => {
      const {activeDeadlineSeconds} = pod.spec
      if (activeDeadlineSeconds === undefined) return false
      const {startTime} = getPodStatus(pod.metadata.uid) ?? pod.status
      return startTime !== undefined && clock.now() - startTime >= activeDeadlineSeconds * 1000
    },
  }
}
