// Which PersistentVolume and which pod a volume handle belongs to, as the volume manager's log lines say.
import type {KubeletLogLine} from '../../node/kubelet-log.ts'

export interface VolumeName {
  readonly specName: string
  readonly driver: string
  readonly handle: string
  readonly podUid: string | undefined
}

// reconciler_common.go and operation_generator.go: for volume "pv1" (UniqueName: "kubernetes.io/csi/DRIVER^HANDLE") pod "web-0" (UID: "…").
// Negated classes only, so that no line takes long. Handles with a quote in them are not found.
const naming =
  /^for volume "([^"]{1,300})" \(UniqueName: "kubernetes\.io\/csi\/([^^"]{1,300})\^([^"]{0,2000})"\)(?: pod "[^"]{0,300}" \(UID: "([^"]{0,100})"\))?/

/** Each distinct pairing once. The names of an unmount's line are left out: there the first name is the pod's own for the volume. */
export function volumeNames(log: readonly KubeletLogLine[]): VolumeName[] {
  const seen = new Map<string, VolumeName>()
  for (const {message} of log) {
    const start = message.indexOf('for volume "')
    if (start === -1 || message.includes('UnmountVolume started')) continue
    const match = naming.exec(message.slice(start, start + 4000))
    if (match === null || seen.has(match[0])) continue
    const [key, specName = '', driver = '', handle = '', podUid] = match
    seen.set(key, {specName, driver, handle, podUid})
  }
  return [...seen.values()]
}
