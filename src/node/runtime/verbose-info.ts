// What a runtime adds to ContainerStatus when it is asked to be verbose: containerd and CRI-O write JSON under 'info'.
import {fieldsOf, integerOf, textOf} from '../kube-list.ts'

export interface VerboseInfo {
  readonly pid?: number
  readonly runtime?: string
}

/** Of what came, only this is kept: the rest holds the container's environment. */
export function verboseInfo(info: unknown): VerboseInfo {
  const said = fieldsOf(info)
  const pid = integerOf(said?.pid)
  // crio-status has it as runtimeHandler; cri-dockerd says neither.
  const runtime = textOf(said?.runtimeType) ?? textOf(said?.runtimeHandler)
  return {...(pid !== undefined && pid > 0 && {pid}), ...(runtime !== undefined && {runtime})}
}

export function parseInfo(text: string | undefined): unknown {
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
