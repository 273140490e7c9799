// Which PersistentVolume and which pod a volume handle belongs to, as the volume manager's log lines say.
import type {KubeletLogLine} from '../../node/kubelet-log.ts'

export interface VolumeName {
  readonly specName: string
  readonly driver: string
  readonly handle: string
  readonly podUid: string | undefined
}

// reconciler_common.go and operation_generator.go: for volume "pv1" (UniqueName: "kubernetes.io/csi/DRIVER^HANDLE") pod "web-0" (UID: "…")
const naming = /for volume "([^"]+)" \(UniqueName: "kubernetes\.io\/csi\/([^^"]+)\^(.*?)"\)(?: pod "[^"]*" \(UID: "([^"]*)"\))?/

/** Each distinct pairing once. The names of an unmount's line are left out: there the first name is the pod's own for the volume. */
export function volumeNames(log: readonly KubeletLogLine[]): VolumeName[] {
  const seen = new Map<string, VolumeName>()
  for (const line of log) {
    if (line.message.includes('UnmountVolume started')) continue
    const match = naming.exec(line.message)
    if (match === null || seen.has(match[0])) continue
    const [key, specName = '', driver = '', handle = '', podUid] = match
    seen.set(key, {specName, driver, handle, podUid})
  }
  return [...seen.values()]
}
