// A path as the kubelet and its drivers write it: a journal has it without links.
import type {Snapshot} from '../../node/snapshot.ts'

export function kubeletsPath(path: string, {kubeletRoot, kubeletRootReal}: Snapshot): string {
  if (kubeletRootReal === undefined || !path.startsWith(`${kubeletRootReal}/`)) return path
  return `${kubeletRoot}${path.slice(kubeletRootReal.length)}`
}
