// Volumes that the kubelet has let go of, as its log tells. Upstream: reconciler_common.go
import type {KubeletLogLine} from '../../node/kubelet-log.ts'

export interface DetachedVolume {
  readonly driver: string
  readonly handle: string
  /** Milliseconds since 1970. */
  readonly at: number
}

// Negated classes only, so that no line takes long. Handles with a quote in them are not found.
const detached = /^Volume detached for volume "[^"]{1,300}" \(UniqueName: "kubernetes\.io\/csi\/([^^"]{1,300})\^([^"]{0,2000})"\)/

export function detachedVolumes(log: readonly KubeletLogLine[]): DetachedVolume[] {
  return log.flatMap(({at, message}) => {
    const [, driver, handle] = detached.exec(message.slice(0, 4000)) ?? []
    return at === undefined || driver === undefined || handle === undefined ? [] : [{driver, handle, at}]
  })
}
