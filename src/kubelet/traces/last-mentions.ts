// When the kubelet's log last spoke of a volume: what it works on it speaks of, at a level that is always on.
import {oncePer} from '../../base/once-per.ts'
import type {KubeletLogLine} from '../../node/kubelet-log.ts'

export interface LastMentions {
  /** Milliseconds since 1970 of its last line: what came later it does not tell. */
  readonly until: number | undefined
  /** Milliseconds since 1970; the beginning of the log when it never speaks of the volume, undefined when there is no log. */
  notSince(handle: string): number | undefined
}

// reconciler_common.go and operation_generator.go name it so, nestedpendingoperations.go with ' podName:' behind it.
// Bounded: a line may be whatever somebody got the kubelet to log.
const uniqueNames = /kubernetes\.io\/csi\/[^^"]{1,300}\^(.{0,2000}?)(?:\\?"| podName:)/g

export const lastMentions: (log: readonly KubeletLogLine[]) => LastMentions = oncePer((log) => {
  const byHandle = new Map<string, number>()
  let first: number | undefined
  let until: number | undefined
  for (const {at, message, fields} of log) {
    if (at === undefined) continue
    first ??= at
    until = at
    if (fields.volID !== undefined) byHandle.set(fields.volID, at)
    if (!message.includes('kubernetes.io/csi/')) continue
    for (const [, handle = ''] of message.matchAll(uniqueNames)) byHandle.set(handle, at)
  }
  return {until, notSince: (handle) => byHandle.get(handle) ?? first}
})
