// Upstream: container/helpers.go, ShouldContainerBeRestarted
import type {Container, Pod} from '../pod.ts'
import type {Profile} from '../profiles.ts'
import {type RuntimePodStatus, statusByName} from './runtime-pod.ts'

export function shouldContainerBeRestarted(profile: Profile, container: Container, pod: Pod, podStatus: RuntimePodStatus): boolean {
  if (profile.switches.has('deleted-ignores-reasons') && pod.metadata.deletionTimestamp !== undefined) return false
  const status = statusByName(podStatus, container.name)
  // It never ran, or all that ran were removed.
  if (status === undefined) return true
  if (status.state === 'RUNNING') return false
  if (status.state === 'UNKNOWN' || status.state === 'CREATED') return true
  if (pod.spec.restartPolicy === 'Never') return false
  return pod.spec.restartPolicy === 'Always' || status.exitCode !== 0
}
