// The kubelet's process as a fact of the node: since when it runs, and whether its ports are ours to ask.
import {readFileSync, readlinkSync} from 'node:fs'
import type {Host} from '../endpoints/host.ts'
import type {KubeletFacts} from '../kubelet-facts.ts'
import type {SeenKubelet} from '../kubelet-seen.ts'
import {parseProcessStat} from './process-stat.ts'

/** @param bootedAt milliseconds since 1970. Undefined when none runs, or it has just ended. */
export function seenKubelet(
  host: Pick<Host, 'locate'>,
  {process, certain}: Pick<KubeletFacts, 'process' | 'certain'>,
  bootedAt: number | undefined,
): SeenKubelet | undefined {
  if (process === undefined) return undefined
  const {pid, program} = process
  const stat = statOf(host, pid)
  if (stat === undefined || stat.state === 'Z') return undefined
  const network = sameNetwork(host, pid)
  return {
    pid,
    program,
    ...(bootedAt !== undefined && {startedAt: bootedAt + stat.startedAfterMs}),
    ...(network !== undefined && {sameNetwork: network}),
    certain,
  }
}

function statOf(host: Pick<Host, 'locate'>, pid: number) {
  try {
    return parseProcessStat(readFileSync(host.locate(`/proc/${pid}/stat`), 'utf8'))
  } catch {
    return undefined
  }
}

/** Ours is that of our own /proc, whatever root the node's lies below. */
function sameNetwork(host: Pick<Host, 'locate'>, pid: number): boolean | undefined {
  try {
    return readlinkSync(host.locate(`/proc/${pid}/ns/net`)) === readlinkSync('/proc/self/ns/net')
  } catch {
    return undefined
  }
}
