// What makes sockets young: the node or its kubelet has just started, or they were made a moment ago. When the kernel dated them.
import {posix} from 'node:path'
import {formatInstant} from '../../base/instant.ts'
import {oncePer} from '../../base/once-per.ts'
import {kubeletDirs} from '../../kubelet/traces/kubelet-dirs.ts'
import {belowRoot, onHost} from '../../node/below-root.ts'
import type {DiskEntry} from '../../node/disk.ts'
import {known} from '../../node/reading.ts'
import type {Snapshot} from '../../node/snapshot.ts'
import type {DetectContext} from '../detector.ts'
import {healingMs, lastStart} from '../healing.ts'
import {later, type Proof} from '../since.ts'

/** node-driver-registrar and drivers make their sockets anew within seconds: three looks, five seconds apart. */
export const restartMs = 15_000

type Sockets = readonly {readonly socket: string}[]

/** The last that makes any of them young; undefined when they are old or nothing tells. */
export function youthOf(context: DetectContext): (sockets: Sockets) => Proof | undefined {
  const {when} = context.snapshot
  const start = lastStart(context)
  const started = start !== undefined && when - start.at < healingMs ? [start] : []
  const made = madeAt(context.snapshot)
  return (sockets) => {
    const young = [...started, ...sockets.flatMap(({socket}) => made(socket).filter(({at}) => when - at < restartMs))]
    return young.length === 0 ? undefined : young.reduce(later)
  }
}

/** When a socket was made, and the links that lead to it. */
export const madeAt: (snapshot: Snapshot) => (socket: string) => readonly Proof[] = oncePer((snapshot) => {
  const below = belowRoot(snapshot)
  const {get} = kubeletDirs(known(snapshot.readings['disk.entries']) ?? [])
  return (socket) => {
    const path = below(socket)
    const chain =
      path === undefined ? [] : linkChain(path, get, (link, target) => below(posix.resolve(dirnameOnHost(snapshot, link), target)))
    return chain.flatMap(({path: at, type, modifiedAt}) =>
      (type === 'socket' || type === 'link') && modifiedAt !== undefined
        ? [{at: modifiedAt, evidence: [{source: 'disk.entries', fact: `${at} was made at ${formatInstant(modifiedAt)}`}]}]
        : [],
    )
  }
})

type Follow = (link: string, target: string) => string | undefined

/** The entry at a path and, as long as that is a link, those that it leads to. */
function linkChain(path: string, get: (path: string) => DiskEntry | undefined, follow: Follow): DiskEntry[] {
  const chain: DiskEntry[] = []
  for (let at: string | undefined = path; at !== undefined; ) {
    const entry = get(at)
    if (entry === undefined || chain.includes(entry)) break
    chain.push(entry)
    at = entry.type === 'link' && entry.target !== undefined ? follow(at, entry.target) : undefined
  }
  return chain
}

function dirnameOnHost(snapshot: Snapshot, path: string): string {
  return posix.dirname(onHost(snapshot, path))
}
