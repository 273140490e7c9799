// The last line that the kubelet's pod worker wrote about a pod: how far it has come (pod_workers.go).
import type {KubeletLogLine} from '../../node/kubelet-log.ts'
import {known} from '../../node/reading.ts'
import type {Snapshot} from '../../node/snapshot.ts'

export function workerWord({readings}: Snapshot, podUid: string): KubeletLogLine | undefined {
  return (known(readings['kubelet.log']) ?? []).findLast(
    ({source, fields}) => source.startsWith('pod_workers.go') && fields.podUID === podUid,
  )
}
