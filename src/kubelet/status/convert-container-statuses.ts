// The statuses of a pod's containers, of what the runtime says and of what was told before. Upstream: kubelet_pods.go, convertToAPIContainerStatuses
import type {CriContainerStatus} from '../cri.ts'
import {type Container, type ContainerState, type ContainerStatus, containerIdOf, type Pod} from '../pod.ts'
import type {Profile} from '../profiles.ts'
import type {ReasonCache} from '../reason-cache.ts'
import {type RuntimePodStatus, statusByName} from '../runtime/runtime-pod.ts'
import {shouldContainerBeRestarted} from '../runtime/should-be-restarted.ts'
import {terminated} from './get-phase.ts'
import {byName} from './normalise-status.ts'
import {statusUnknown} from './terminated-status.ts'

export interface ConvertOptions {
  readonly profile: Profile
  readonly runtimeName: string
  readonly reasonCache: ReasonCache
  readonly pod: Pod
  readonly podStatus: RuntimePodStatus
  readonly which: 'containers' | 'initContainers'
  readonly previous: readonly ContainerStatus[]
}

export function convertToAPIContainerStatuses(options: ConvertOptions): readonly ContainerStatus[] {
  const {profile, runtimeName, reasonCache, pod, podStatus, which, previous} = options
  const containers = pod.spec[which] ?? []
  const old = new Map(previous.map((status) => [status.name, status]))
  const killed = profile.switches.has('missing-killed')
  const missing = missingStatus(profile, pod, killed)
  const convert = convertContainerStatus(profile, runtimeName, killed)

  const statuses = containers.map((container): ContainerStatus => {
    const {name} = container
    const [newest, older] = podStatus.containers.filter(({metadata}) => metadata.name === name)
    const status = newest ? convert(newest, old.get(name)) : missing(container, old.get(name))
    return older ? {...status, lastState: convert(older, old.get(name)).state} : status
  })

  const inferred = which === 'initContainers' ? inferredInit(profile, pod, podStatus) : undefined
  const explained = containers.map((container, index): ContainerStatus => {
    const status = statuses[index] as ContainerStatus
    const runtime = statusByName(podStatus, container.name)
    if (which === 'initContainers' && runtime?.state === 'EXITED' && runtime.exitCode === 0) return status
    if (inferred && runtime === undefined && 'waiting' in status.state) return {...status, state: inferred}
    if (!shouldContainerBeRestarted(profile, container, pod, podStatus)) return status
    const reason = reasonCache.get(pod.metadata.uid, container.name)
    return reason === undefined ? status : waitingBecause(reason, status)
  })
  return which === 'initContainers' ? explained : byName(explained)
}

/** What ended moves to the last state: the container is about to be started once more. */
function waitingBecause(
  {reason, message}: {reason: string; message: string},
  {state, lastState, ...status}: ContainerStatus,
): ContainerStatus {
  const last = 'terminated' in state ? state : lastState
  return {...status, state: {waiting: {reason, message}}, ...(last && {lastState: last})}
}

/** What to say of a container that the runtime does not have. */
function missingStatus(
  profile: Profile,
  pod: Pod,
  missingKilled: boolean,
): (container: Container, old: ContainerStatus | undefined) => ContainerStatus {
  const deleted = pod.metadata.deletionTimestamp !== undefined
  const killed = missingKilled && (deleted || profile.switches.has('missing-restarted'))
  const reason = pod.spec.initContainers?.length ? 'PodInitializing' : 'ContainerCreating'
  return ({name, image}, old) => {
    if (old && 'terminated' in old.state) return old
    const waiting = {name, image, state: {waiting: {reason}}, ready: false, restartCount: old?.restartCount ?? 0}
    const last = old?.lastState
    if (!killed || old === undefined || !('running' in old.state) || terminated(last)) return {...waiting, ...(last && {lastState: last})}
    const end = statusUnknown('The container could not be located when the pod was deleted.  The container used to be Running')
    return {...waiting, lastState: {terminated: end}, restartCount: waiting.restartCount + (deleted ? 0 : 1)}
  }
}

type Convert = (status: CriContainerStatus, old: ContainerStatus | undefined) => ContainerStatus

function convertContainerStatus(profile: Profile, runtimeName: string, missingKilled: boolean): Convert {
  const createdWaits = profile.switches.has('created-waits')
  const withHistory = profile.switches.has('last-state-kept') ? keptHistory : () => ({})
  return (status, old) => {
    const containerID = containerIdOf(runtimeName, status.id)
    const common = {
      name: status.metadata.name,
      image: status.image,
      ready: false,
      restartCount: status.metadata.attempt,
      containerID,
      ...withHistory(status, containerID, old),
    }
    const {state, startedAt} = status
    if (state === 'RUNNING') return {...common, state: {running: {startedAt}}}
    if (state === 'EXITED' || (state === 'CREATED' && !createdWaits)) return {...common, state: ended(status, containerID)}
    if (state === 'UNKNOWN' && missingKilled && old && 'running' in old.state) {
      const end = statusUnknown('The container could not be located when the pod was terminated')
      return {...common, state: {terminated: end}, restartCount: old.restartCount + 1}
    }
    return {...common, state: {waiting: {}}}
  }
}

/** What the runtime may have forgotten by now. */
function keptHistory(
  {state, metadata: {attempt}}: CriContainerStatus,
  containerID: string,
  old: ContainerStatus | undefined,
): Partial<ContainerStatus> {
  if (old === undefined) return {}
  const hadEnded = 'terminated' in old.state
  const restartCount =
    state === 'RUNNING' && hadEnded && old.restartCount >= attempt ? old.restartCount + 1 : Math.max(old.restartCount, attempt)
  const last = hadEnded && old.containerID !== containerID ? old.state : old.lastState
  return {restartCount, ...(terminated(last) && last && {lastState: last})}
}

/** Of a container that was only created, the runtime manager passes on neither how nor when it ended. */
function ended({state, exitCode, reason, message, startedAt, finishedAt}: CriContainerStatus, containerID: string): ContainerState {
  if (state === 'CREATED') return {terminated: {exitCode: 0, containerID}}
  return {terminated: {exitCode, ...(reason && {reason}), ...(message && {message}), startedAt, finishedAt, containerID}}
}

/** How an init container ended that nobody knows of, when containers were created after it. */
function inferredInit(profile: Profile, {spec}: Pod, podStatus: RuntimePodStatus): ContainerState | undefined {
  if (!profile.switches.has('init-inferred')) return undefined
  const created = spec.containers.some(({name}) => (statusByName(podStatus, name)?.state ?? 'UNKNOWN') !== 'UNKNOWN')
  const message = 'Unable to get init container status from container runtime and pod has been initialized, treat it as exited normally'
  return created ? {terminated: {exitCode: 0, reason: 'Completed', message}} : undefined
}
