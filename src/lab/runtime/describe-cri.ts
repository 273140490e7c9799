// A call of the runtime as rules and people see it: ids become pods and containers.

import type {CriContainer, CriMethods, CriSandbox} from '../../kubelet/cri.ts'
import type {PortCall} from '../port/port-call.ts'

const nothing = Object.freeze({})

/** What is there, by its id. */
export interface KnownThings {
  readonly sandboxes: {get(id: string): CriSandbox | undefined}
  readonly containers: {get(id: string): CriContainer | undefined}
}

type AnyRequest = Partial<
  CriMethods['CreateContainer']['request'] &
    CriMethods['StopContainer']['request'] &
    CriMethods['ExecSync']['request'] &
    CriMethods['PullImage']['request']
>

export function describeCri({sandboxes, containers}: KnownThings): (method: string, request: object) => PortCall {
  const ofContainer = (id: string): {pod?: string; container?: string} => {
    const row = containers.get(id)
    return row === undefined ? nothing : {pod: `${row.pod.namespace}/${row.pod.name}`, container: row.metadata.name}
  }
  const ofSandbox = (id: string): {pod?: string} => {
    const row = sandboxes.get(id)
    return row === undefined ? nothing : {pod: `${row.metadata.namespace}/${row.metadata.name}`}
  }
  return (method, request) => {
    const to = 'cri'
    if (method === 'RunPodSandbox') {
      const {config} = request as CriMethods['RunPodSandbox']['request']
      return {to, method, pod: `${config.namespace}/${config.name}`, request: {attempt: config.attempt}}
    }
    const {podSandboxId, containerId, config, timeout, cmd, image} = request as AnyRequest
    if (config !== undefined && podSandboxId !== undefined) {
      const {metadata, image: its} = config
      return {to, method, ...ofSandbox(podSandboxId), container: metadata.name, request: {attempt: metadata.attempt, image: its}}
    }
    if (podSandboxId !== undefined) return {to, method, ...ofSandbox(podSandboxId), request: {id: podSandboxId}}
    if (containerId !== undefined) {
      const shown = {id: containerId, ...(cmd === undefined ? nothing : {cmd}), ...(timeout === undefined ? nothing : {timeout})}
      return {to, method, ...ofContainer(containerId), request: shown}
    }
    if (image !== undefined) return {to, method, request: {image}}
    return {to, method, request: {...request}}
  }
}
