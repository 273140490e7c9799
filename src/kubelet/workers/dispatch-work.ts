// Whether a pod goes to its worker, is ended, or is left alone: up to 1.21 each event decides anew. Upstream: kubelet.go, dispatchWork

import {type Pod, podKey} from '../pod.ts'
import type {KubeletPorts} from '../ports.ts'
import type {Profile} from '../profiles.ts'
import {isTerminalPhase} from '../status/get-phase.ts'
import type {StatusManager} from '../status-manager.ts'
import {notRunning, type SyncType} from './pod-lifecycle.ts'

export interface Terminality {
  /** None of its containers runs, as far as the status says. */
  readonly containersTerminal: boolean
  /** What the API server says of the pod changes nothing any more. */
  readonly podWorkerTerminal: boolean
}

type Statuses = Pick<StatusManager, 'getPodStatus'>

/** Upstream: podAndContainersAreTerminal */
export function terminality(statuses: Statuses, pod: Pod): Terminality {
  return {containersTerminal: notRunning(statusOf(statuses, pod)), podWorkerTerminal: podIsTerminated(statuses, pod)}
}

export function podIsTerminated(statuses: Statuses, pod: Pod): boolean {
  const status = statusOf(statuses, pod)
  return isTerminalPhase(status.phase) || (pod.metadata.deletionTimestamp !== undefined && notRunning(status))
}

const statusOf = (statuses: Statuses, pod: Pod) => statuses.getPodStatus(pod.metadata.uid) ?? pod.status

export interface DispatchOptions {
  readonly profile: Profile
  readonly statusManager: Pick<StatusManager, 'getPodStatus' | 'terminatePod'>
  readonly updatePod: (pod: Pod) => void
  readonly log: KubeletPorts['log']
}

export function dispatchWork({profile, statusManager, updatePod, log}: DispatchOptions): (pod: Pod, syncType: SyncType) => void {
  const endsAfterContainers = profile.switches.has('ends-after-containers')
  const terminalSynced = profile.switches.has('terminal-synced')
  const ignored = `Pod has completed${terminalSynced ? ' and its containers have been terminated' : ''}, ignoring remaining sync work`
  return (pod, syncType) => {
    // Before, what became of the pod was not logged.
    const say = (text: string) => {
      if (endsAfterContainers) log({text, pod: podKey(pod), fields: {syncType}})
    }
    const {containersTerminal, podWorkerTerminal} = terminality(statusManager, pod)
    const deleted = pod.metadata.deletionTimestamp !== undefined
    // Ending a pod that still runs writes ends that never were over what its containers do.
    if (deleted && (endsAfterContainers ? containersTerminal : podWorkerTerminal)) {
      say('Pod has completed execution and should be deleted from the API server')
      statusManager.terminatePod(pod)
    } else if (podWorkerTerminal && (containersTerminal || !terminalSynced)) say(ignored)
    else updatePod(pod)
  }
}
