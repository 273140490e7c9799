// What is to be told of a pod. Upstream: kubelet_pods.go, generateAPIPodStatus; prober/prober_manager.go, UpdatePodStatus

import {type ContainerStatus, type Pod, type PodPhase, type PodStatus, podKey} from './pod.ts'
import type {KubeletPorts} from './ports.ts'
import type {Profile} from './profiles.ts'
import type {ReasonCache} from './reason-cache.ts'
import type {RuntimePodStatus} from './runtime/runtime-pod.ts'
import {convertToAPIContainerStatuses} from './status/convert-container-statuses.ts'
import {getPhase, isTerminalPhase} from './status/get-phase.ts'
import {generateConditions, podConditionByKubelet} from './status/pod-conditions.ts'
import type {StatusManager} from './status-manager.ts'

export interface PodStatusSources {
  readonly profile: Profile
  /** As the runtime calls itself: 'containerd'. */
  readonly runtimeName: string
  readonly statusManager: Pick<StatusManager, 'getPodStatus'>
  readonly reasonCache: ReasonCache
  /** Who may say that the pod has to go, such as its active deadline. Upstream: ShouldEvict of the PodSyncHandlers. */
  readonly podSyncHandlers: readonly ((pod: Pod) => Eviction | undefined)[]
  /** What the container's readiness probe last said; undefined: nothing yet. */
  readonly readiness: (uid: string, container: string) => boolean | undefined
  readonly log: KubeletPorts['log']
}

export interface Eviction {
  readonly reason: string
  readonly message: string
}

/**
 * The status is read once more when the containers have been stopped, and the pod gets its terminal phase from it.
 * For the pod worker, which does the reading: only then does it pass `podIsTerminal`.
 */
export const exitsReadAfterKill = (profile: Profile): boolean => profile.switches.has('exits-read-after-kill')

/** @param podIsTerminal its containers have been stopped for good; always false without exitsReadAfterKill */
export function generateAPIPodStatus(pod: Pod, podStatus: RuntimePodStatus, podIsTerminal: boolean, sources: PodStatusSources): PodStatus {
  const {profile, podSyncHandlers, log} = sources
  const old = sources.statusManager.getPodStatus(pod.metadata.uid) ?? pod.status
  const containers = convertStatusToAPIStatus(pod, podStatus, old, sources)
  const othersConditions = pod.status.conditions.filter((each) => !podConditionByKubelet(each))
  const eviction = podSyncHandlers.map((shouldEvict) => shouldEvict(pod)).find((each) => each !== undefined)
  const phaseKept = profile.switches.has('phase-kept')
  // Before, who evicted had the last word, before the probes' results and the conditions.
  if (eviction && !phaseKept) return {...containers, phase: 'Failed', ...eviction, conditions: othersConditions}

  const computed = getPhase(pod.spec, [...containers.containerStatuses, ...containers.initContainerStatuses], podIsTerminal)
  const kept = phaseKept ? keptPhase(computed, old, pod) : computed
  const told = phaseKept && kept === old.phase ? reasonOf(old, pod.status) : {}
  const phase = allowedPhase(eviction ? 'Failed' : kept, pod, log)
  const status = {...withReadiness(pod, containers, sources), phase, ...told, ...eviction, conditions: othersConditions}
  return {...status, conditions: [...othersConditions, ...generateConditions(profile, pod.spec, status)]}
}

type ContainerStatuses = Pick<PodStatus, 'containerStatuses' | 'initContainerStatuses'>

function convertStatusToAPIStatus(
  pod: Pod,
  podStatus: RuntimePodStatus,
  old: PodStatus,
  {profile, runtimeName, reasonCache}: PodStatusSources,
): ContainerStatuses {
  const common = {profile, runtimeName, reasonCache, pod, podStatus}
  return {
    containerStatuses: convertToAPIContainerStatuses({...common, which: 'containers', previous: old.containerStatuses}),
    initContainerStatuses: convertToAPIContainerStatuses({...common, which: 'initContainers', previous: old.initContainerStatuses}),
  }
}

/** Upstream's three-way merge. It rescues only a phase that is not terminal: Failed may still become Succeeded. */
function keptPhase(computed: PodPhase, old: PodStatus, {status}: Pod): PodPhase {
  if (isTerminalPhase(computed)) return computed
  return [old.phase, status.phase].find(isTerminalPhase) ?? computed
}

function reasonOf(old: PodStatus, api: PodStatus): Pick<PodStatus, 'reason' | 'message'> {
  const reason = old.reason || api.reason
  const message = old.message || api.message
  return {...(reason && {reason}), ...(message && {message})}
}

/** By the pod as its worker has it, which may be older than what the API server knows. */
function allowedPhase(phase: PodPhase, pod: Pod, log: KubeletPorts['log']): PodPhase {
  const api = pod.status.phase
  if (!isTerminalPhase(api) || phase === api) return phase
  log({text: 'Pod attempted illegal phase transition', pod: podKey(pod), fields: {originalStatusPhase: api, apiStatusPhase: phase}})
  return api
}

function withReadiness({metadata: {uid}, spec}: Pod, statuses: ContainerStatuses, {readiness}: PodStatusSources): ContainerStatuses {
  const probed = new Set(spec.containers.filter(({readinessProbe}) => readinessProbe).map(({name}) => name))
  const ready = ({name, state}: ContainerStatus) => 'running' in state && (!probed.has(name) || readiness(uid, name) === true)
  const succeeded = ({state}: ContainerStatus) => 'terminated' in state && state.terminated.exitCode === 0
  return {
    containerStatuses: statuses.containerStatuses.map((each) => ({...each, ready: ready(each)})),
    initContainerStatuses: statuses.initContainerStatuses.map((each) => ({...each, ready: succeeded(each)})),
  }
}
