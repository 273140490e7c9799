// What has to be done so that a pod runs as it should. Upstream: kuberuntime/kuberuntime_manager.go, computePodActions
import type {CriContainerStatus} from '../cri.ts'
import type {Container, Pod} from '../pod.ts'
import type {Profile} from '../profiles.ts'
import {type RuntimePodStatus, statusByName} from './runtime-pod.ts'
import {shouldContainerBeRestarted} from './should-be-restarted.ts'

export interface PodActions {
  readonly killPod: boolean
  readonly createSandbox: boolean
  /** Of the sandbox that is there; absent when there is none. */
  readonly sandboxId?: string
  readonly attempt: number
  readonly nextInitContainerToStart?: Container
  readonly containersToStart: readonly Container[]
  /** In a state that the runtime does not know: one may run, so it is stopped before the next is started. */
  readonly containersToKill: readonly CriContainerStatus[]
}

const idle = {containersToStart: [], containersToKill: []}

export function computePodActions(profile: Profile, pod: Pod, status: RuntimePodStatus): PodActions {
  const {containers, initContainers = [], restartPolicy} = pod.spec
  const sandbox = podSandboxChanged(status)
  const actions = {...sandbox.of, killPod: sandbox.changed, createSandbox: sandbox.changed, ...idle}

  if (sandbox.changed) {
    // A pod that is done gets no new sandbox; where there never was a container, the last one failed and is tried again.
    if (restartPolicy === 'Never' && actions.attempt !== 0 && status.containers.length > 0) return {...actions, createSandbox: false}
    const containersToStart = containers.filter(({name}) => restartPolicy !== 'OnFailure' || !succeeded(statusByName(status, name)))
    if (containersToStart.length === 0 && profile.switches.has('done-needs-no-sandbox') && nextInitContainer(profile, pod, status).done) {
      return {...actions, createSandbox: false}
    }
    const [first] = initContainers
    return first === undefined ? {...actions, containersToStart} : {...actions, nextInitContainerToStart: first}
  }

  const init = nextInitContainer(profile, pod, status)
  if (!init.done) {
    if (init.next === undefined) return actions
    if (init.failed !== undefined && restartPolicy === 'Never') return {...actions, killPod: true}
    return {...actions, nextInitContainerToStart: init.next, containersToKill: init.failed?.state === 'UNKNOWN' ? [init.failed] : []}
  }

  const containersToStart: Container[] = []
  const containersToKill: CriContainerStatus[] = []
  let keepCount = 0
  for (const container of containers) {
    const known = statusByName(status, container.name)
    if (known?.state === 'RUNNING') keepCount++
    else if (shouldContainerBeRestarted(profile, container, pod, status)) {
      containersToStart.push(container)
      if (known?.state === 'UNKNOWN') containersToKill.push(known)
    }
  }
  return {...actions, containersToStart, containersToKill, killPod: keepCount === 0 && containersToStart.length === 0}
}

/** Whether a new one is needed: there is none, the newest is not ready, or more than one is. */
function podSandboxChanged({sandboxes}: RuntimePodStatus): {changed: boolean; of: {attempt: number; sandboxId?: string}} {
  const [newest] = sandboxes
  if (newest === undefined) return {changed: true, of: {attempt: 0}}
  const changed = newest.state !== 'READY' || sandboxes.filter(({state}) => state === 'READY').length > 1
  return {changed, of: {attempt: newest.metadata.attempt + (changed ? 1 : 0), sandboxId: newest.id}}
}

const succeeded = (status: CriContainerStatus | undefined): boolean =>
  status !== undefined && status.state !== 'RUNNING' && status.exitCode === 0

type InitProgress = {readonly done: true} | {readonly done: false; readonly next?: Container; readonly failed?: CriContainerStatus}

/** Upstream: findNextInitContainerToRun */
function nextInitContainer(profile: Profile, {spec}: Pod, podStatus: RuntimePodStatus): InitProgress {
  const {containers, initContainers = []} = spec
  // All have been run once, whether the runtime still has them or not.
  const isRunning = ({name}: Container) => statusByName(podStatus, name)?.state === 'RUNNING'
  if (profile.switches.has('inits-not-rerun') && containers.some(isRunning)) return {done: true}

  const newest = initContainers.map((container) => ({container, status: statusByName(podStatus, container.name)})).reverse()
  for (const {container, status} of newest) {
    if (status !== undefined && (status.state === 'UNKNOWN' || (status.state === 'EXITED' && status.exitCode !== 0))) {
      return {done: false, next: container, failed: status}
    }
  }
  for (const [index, {status}] of newest.entries()) {
    if (status?.state === 'RUNNING') return {done: false}
    if (status?.state !== 'EXITED') continue
    const following = newest[index - 1]
    return following === undefined ? {done: true} : {done: false, next: following.container}
  }
  const [first] = initContainers
  return first === undefined ? {done: true} : {done: false, next: first}
}
