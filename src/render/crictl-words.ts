// crictl's words for what CRI writes in numbers, and its cuts.
import {shortId} from '../node/short-id.ts'
import {ContainerState, PodSandboxState} from '../wire/gen/cri_pb.ts'

/** A number that the interface does not know is shown as such; crictl fails. */
export function sandboxState(state: PodSandboxState): string {
  switch (state) {
    case PodSandboxState.SANDBOX_READY:
      return 'Ready'
    case PodSandboxState.SANDBOX_NOTREADY:
      return 'NotReady'
    default:
      return `state ${state}`
  }
}

export function containerState(state: ContainerState): string {
  switch (state) {
    case ContainerState.CONTAINER_CREATED:
      return 'Created'
    case ContainerState.CONTAINER_RUNNING:
      return 'Running'
    case ContainerState.CONTAINER_EXITED:
      return 'Exited'
    case ContainerState.CONTAINER_UNKNOWN:
      return 'Unknown'
    default:
      return `state ${state}`
  }
}

export function idWord(id: string, noTrunc: boolean): string {
  return noTrunc ? id : shortId(id)
}

/** The kubelet puts a digest where a name could be; only that is cut. */
export function shortImage(image: string, noTrunc: boolean): string {
  const [, hex] = /^sha(?:256:(?=.{64}$)|384:(?=.{96}$)|512:(?=.{128}$))([0-9a-f]+)$/.exec(image) ?? []
  return noTrunc || hex === undefined ? image : shortId(hex)
}

/** As `-v` writes them: sorted, one a line; nothing when there are none. */
export function pairs(title: string, map: Readonly<Record<string, string>>, print: (text: string) => string): string {
  const keys = Object.keys(map).sort()
  return keys.length === 0 ? '' : `${title}:\n${keys.map((key) => `\t${print(key)} -> ${print(map[key] ?? '')}\n`).join('')}`
}
