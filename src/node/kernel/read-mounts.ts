// The mount table that the kubelet sees. The kernel hands it out a page at a time: while mounts come and go, a line can be missing or
// there twice (kubernetes/kubernetes#103754).
import {systemReason} from '../bundle/system-reason.ts'
import type {Host} from '../endpoints/host.ts'
import {type Mount, parseMountinfo} from '../mountinfo.ts'
import {failed, type Reading, read} from '../reading.ts'
import {whyNotWholeMachine} from './whole-machine.ts'

export interface ReadMountsOptions {
  /** The table is that of its mount namespace. */
  readonly kubeletPid?: number
  /** A file to read instead. */
  readonly file?: string
  /** Keeps the text in the reading, for a bundle. */
  readonly keepReply?: boolean
}

type MountsHost = Pick<Host, 'readText' | 'readLink'>

const rereads = 3

/** Never throws. */
export async function readMounts(host: MountsHost, options: ReadMountsOptions = {}): Promise<Reading<readonly Mount[]>> {
  const {kubeletPid, file, keepReply = false} = options
  if (file !== undefined) return await readTable(host, file, keepReply)
  const pids = kubeletPid === undefined ? [1] : [kubeletPid, 1]
  for (const pid of pids) {
    const table = await readTable(host, `/proc/${pid}/mountinfo`, keepReply)
    if (table.state !== 'read') continue
    const doubt = pid === kubeletPid ? undefined : await foreign(host, kubeletPid)
    return withDoubt(table, doubt)
  }
  return withDoubt(
    await readTable(host, '/proc/self/mountinfo', keepReply),
    "it is that of our own process, and the kubelet's mounts may be others",
  )
}

/** Process 1 has the kubelet's mount namespace on most nodes: not where the kubelet runs in a container, or we do. */
async function foreign(host: MountsHost, kubeletPid: number | undefined): Promise<string | undefined> {
  return kubeletPid === undefined ? await whyNotWholeMachine(host, undefined) : "it is that of process 1, as the kubelet's cannot be read"
}

function withDoubt(table: Reading<readonly Mount[]>, doubt: string | undefined): Reading<readonly Mount[]> {
  if (table.state !== 'read' || doubt === undefined) return table
  return {...table, incomplete: table.incomplete === undefined ? doubt : `${table.incomplete}; ${doubt}`}
}

async function readTable(host: MountsHost, path: string, keepReply: boolean): Promise<Reading<readonly Mount[]>> {
  try {
    let text = await host.readText(path)
    let stable = false
    for (let left = rereads; left > 0 && !stable; left--) {
      const again = await host.readText(path)
      stable = again === text
      text = again
    }
    const mounts = parseMountinfo(text)
    if (mounts.length === 0) return failed(`${path} is empty`)
    const torn = text.split('\n').filter((line) => line !== '').length - mounts.length
    const doubt =
      torn > 0 ? `${torn} of its lines are none of a mount table` : stable ? undefined : `unstable: ${path} changed each time it was read`
    return {...read(mounts, doubt), ...(keepReply && {raw: text})}
  } catch (error) {
    return failed(`${path}: ${systemReason(error)}`)
  }
}
