// Which way a container's state may not go. Upstream: status/status_manager.go, checkContainerStateTransition
import type {ContainerStatus, PodStatus, RestartPolicy} from '../pod.ts'

/** What is wrong with the step from one status to the other. Exit codes are not compared, in any version: from 1 to 0 is fine with it. */
export function checkContainerStateTransition(old: PodStatus, next: PodStatus, restartPolicy: RestartPolicy): string | undefined {
  if (restartPolicy === 'Always') return undefined
  const name =
    restarted(old.containerStatuses, next.containerStatuses, restartPolicy) ??
    restarted(old.initContainerStatuses, next.initContainerStatuses, restartPolicy)
  return name && `terminated container ${name} attempted illegal transition to non-terminated state`
}

function restarted(old: readonly ContainerStatus[], next: readonly ContainerStatus[], restartPolicy: RestartPolicy): string | undefined {
  for (const {name, state} of old) {
    if (!('terminated' in state)) continue
    if (state.terminated.exitCode !== 0 && restartPolicy === 'OnFailure') continue
    if (next.some((status) => status.name === name && !('terminated' in status.state))) return name
  }
  return undefined
}
