// Status updates that the kubelet refused: it will not call a container waiting that it has called terminated (pkg/kubelet/status, checkContainerStateTransition).
import {oncePer} from '../../base/once-per.ts'
import type {KubeletLogLine} from '../../node/kubelet-log.ts'
import {known} from '../../node/reading.ts'
import type {Snapshot} from '../../node/snapshot.ts'

export interface RefusedUpdates {
  readonly count: number
  /** Milliseconds since 1970. */
  readonly first: number
  readonly last: number
  /** Of the newest. */
  readonly container: string
}

interface Refusal {
  readonly pod: string
  readonly container: string
  readonly at: number
}

/** The kubelet tries again at each resync, after 60 to 90 s: two in a row prove less than three. */
const lastingMs = 180_000

/** @param since of the log, which names no UID: another pod may have borne the name before. */
export function refusedUpdates(snapshot: Snapshot, pod: string, since: number): RefusedUpdates | undefined {
  const own = (refusals(snapshot).get(pod) ?? []).filter(({at}) => at >= since)
  const last = own.at(-1)
  if (last === undefined) return undefined
  return {count: own.length, first: own[0]?.at ?? last.at, last: last.at, container: last.container}
}

/** It has gone on for so long, and until now, that it will not end by itself. */
export function isLasting({first, last}: RefusedUpdates, now: number): boolean {
  return last - first > lastingMs && isRecent({last}, now)
}

/** So that the next resync may bring another one. */
export function isRecent({last}: Pick<RefusedUpdates, 'last'>, now: number): boolean {
  return now - last < lastingMs
}

/** By 'namespace/name', the oldest first. */
const refusals: (snapshot: Snapshot) => ReadonlyMap<string, readonly Refusal[]> = oncePer(({readings}) => {
  const boot = known(readings['kernel.boot'])?.at ?? 0
  const found = (known(readings['kubelet.log']) ?? []).flatMap((line) => refusalOf(line) ?? []).filter(({at}) => at >= boot)
  return Map.groupBy(
    found.toSorted((a, b) => a.at - b.at),
    ({pod}) => pod,
  )
})

function refusalOf({at, message, fields}: KubeletLogLine): Refusal | undefined {
  if (at === undefined || !message.startsWith('Status update on pod ')) return undefined
  const old = /^Status update on pod (\S+) aborted: terminated container (\S+) attempted illegal transition/.exec(message)
  const container = old?.[2] ?? /^terminated container (\S+) attempted illegal transition/.exec(fields.err ?? '')?.[1]
  const pod = old?.[1] ?? fields.pod
  return container === undefined || pod === undefined ? undefined : {pod, container, at}
}
