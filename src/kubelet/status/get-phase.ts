// Upstream: kubelet_pods.go, getPhase
import type {Container, ContainerState, ContainerStatus, PodPhase, PodSpec, Terminated} from '../pod.ts'

export const isTerminalPhase = (phase: PodPhase): boolean => phase === 'Failed' || phase === 'Succeeded'

/** @param podIsTerminal none of its containers will start again, whatever the restart policy */
export function getPhase(spec: PodSpec, statuses: readonly ContainerStatus[], podIsTerminal: boolean): PodPhase {
  const byName = new Map(statuses.map((status) => [status.name, status]))
  const of = (containers: readonly Container[] = []) => containers.map(({name}) => byName.get(name))
  const init = of(spec.initContainers).map(initProgress)
  const {running, waiting, stopped, succeeded, unknown} = tally(of(spec.containers))

  if (init.includes('failed') && spec.restartPolicy === 'Never') return 'Failed'
  if (init.includes('pending') || waiting > 0) return 'Pending'
  if (unknown > 0) return 'Pending'
  if (running > 0) return 'Running'
  if (stopped === 0) return 'Pending'
  if (podIsTerminal) return stopped === succeeded ? 'Succeeded' : 'Failed'
  if (spec.restartPolicy === 'Always') return 'Running'
  if (stopped === succeeded) return 'Succeeded'
  return spec.restartPolicy === 'Never' ? 'Failed' : 'Running'
}

function initProgress(status: ContainerStatus | undefined): 'pending' | 'failed' | 'done' {
  if (status === undefined || 'running' in status.state) return 'pending'
  const end = terminated(status.state) ?? terminated(status.lastState)
  if (end === undefined) return 'pending'
  return end.exitCode === 0 ? 'done' : 'failed'
}

function tally(statuses: readonly (ContainerStatus | undefined)[]) {
  const counts = {running: 0, waiting: 0, stopped: 0, succeeded: 0, unknown: 0}
  for (const status of statuses) {
    if (status === undefined) counts.unknown++
    else if ('running' in status.state) counts.running++
    else if ('terminated' in status.state) {
      counts.stopped++
      if (status.state.terminated.exitCode === 0) counts.succeeded++
    } else if (terminated(status.lastState) !== undefined) counts.stopped++
    else counts.waiting++
  }
  return counts
}

export const terminated = (state: ContainerState | undefined): Terminated | undefined =>
  state !== undefined && 'terminated' in state ? state.terminated : undefined
