// What the kubelet's log says of pods that are gone: since when at the latest.
import {oncePer} from '../../base/once-per.ts'
import {orphanLines} from '../../kubelet/traces/orphan-lines.ts'
import type {KubeletLogLine} from '../../node/kubelet-log.ts'

export interface RemovalLine {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly text: string
}

export interface RemovalLines {
  /** The first line that says so of this UID. */
  ofUid(uid: string): RemovalLine | undefined
  /** The first after a moment that says so of a pod of this name; a name is one pod's at a time. */
  ofName(namespace: string, name: string, after: number): RemovalLine | undefined
}

// Of the pod workers and the housekeeping, which speaks only when all of the kubelet's sources have (pod_workers.go, kubelet_pods.go).
const byUid =
  /^(?:Pod has been deleted and must be killed|Pod is orphaned and must be torn down|Pod has been terminated and is no longer known to the kubelet|Clean up containers for orphaned pod)/

export const removalLines: (log: readonly KubeletLogLine[]) => RemovalLines = oncePer((log) => {
  const uids = new Map<string, RemovalLine>()
  const names = new Map<string, RemovalLine[]>()
  const addUid = (uid: string, line: RemovalLine) => {
    if ((uids.get(uid)?.at ?? Number.POSITIVE_INFINITY) > line.at) uids.set(uid, line)
  }
  for (const {at, message, fields} of log) {
    if (at === undefined) continue
    const line = {at, text: message}
    if (fields.podUID !== undefined && byUid.test(message)) addUid(fields.podUID, line)
    // Up to 1.20: 'SyncLoop (REMOVE, "api"): "web-0_shop(UID)"'.
    if (message.startsWith('SyncLoop (REMOVE, '))
      for (const [, uid = ''] of message.matchAll(/\(([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\)/g))
        addUid(uid, {at, text: 'SyncLoop REMOVE'})
    if (message === 'SyncLoop REMOVE' && fields.source === 'api')
      for (const [name] of (fields.pods ?? '').matchAll(/(?<![\w.-])[\w.-]+\/[\w.-]+/g)) names.set(name, [...(names.get(name) ?? []), line])
  }
  for (const [uid, {first, text}] of orphanLines(log)) addUid(uid, {at: first, text})
  return {
    ofUid: (uid) => uids.get(uid),
    ofName: (namespace, name, after) => names.get(`${namespace}/${name}`)?.find(({at}) => at > after),
  }
})
