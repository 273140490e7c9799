// What the kubelet's log says of pod directories that it wants to remove and cannot (kubelet_volumes.go, every two seconds).
import {oncePer} from '../../base/once-per.ts'
import type {KubeletLogLine} from '../../node/kubelet-log.ts'

export interface OrphanLines {
  /** Milliseconds since 1970 of the first and of the last line about the pod. */
  readonly first: number
  readonly last: number
  readonly count: number
  /** The last of them. */
  readonly text: string
}

// Before 1.21 in the message, since then in the field err of 'There were many similar errors'. Only the first of many pods is named.
const orphan = /orphaned pod \\?"([^"\\]+)\\?" found/i

/** By the pod's UID. */
export const orphanLines: (log: readonly KubeletLogLine[]) => ReadonlyMap<string, OrphanLines> = oncePer((log) => {
  const byUid = new Map<string, OrphanLines>()
  for (const {at, message, fields} of log) {
    const text = [message, fields.err ?? ''].find((each) => orphan.test(each))
    const uid = text === undefined ? undefined : orphan.exec(text)?.[1]
    if (at === undefined || text === undefined || uid === undefined) continue
    const before = byUid.get(uid)
    byUid.set(uid, {first: before?.first ?? at, last: at, count: (before?.count ?? 0) + 1, text})
  }
  return byUid
})
