// Reads the journals that a takeover leaves: one file each, gone when the socket was given back.
import {firstLine} from '../../base/errors.ts'
import type {Host} from '../endpoints/host.ts'
import {whyNotWholeMachine} from '../kernel/whole-machine.ts'
import {failed, type Reading, read} from '../reading.ts'
import {lookAtPath} from './at-path.ts'
import {holderOf} from './holder.ts'
import {type Journal, journalFolder} from './journal.ts'
import {readJournalFile} from './parse-journal.ts'
import type {TakeoverHolder, TakeoverJournal} from './takeover.ts'

type TakeoverHost = Pick<Host, 'filesBelow' | 'locate' | 'readLink' | 'reach'>

/** Never throws. On most nodes there are none. @param kubeletPid by which /proc is known to be the node's */
export async function readTakeovers(host: TakeoverHost, kubeletPid?: number): Promise<Reading<readonly TakeoverJournal[]>> {
  try {
    const files = (await host.filesBelow(journalFolder)).filter((path) => path.endsWith('.json'))
    if (files.length === 0) return read([])
    const isWhole = (await whyNotWholeMachine(host, kubeletPid)) === undefined
    return read((await Promise.all(files.map((path) => takeoverAt(path, host, isWhole)))).flat())
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? read([]) : failed(firstLine(error))
  }
}

async function takeoverAt(path: string, host: TakeoverHost, isWhole: boolean): Promise<readonly TakeoverJournal[]> {
  const found = readJournalFile(host.locate(path))
  // The socket was given back meanwhile.
  if ('unreadable' in found) return found.unreadable === 'ENOENT' ? [] : [{path, unreadable: found.unreadable}]
  const {journal} = found
  const {socket, proxy, command, startedAt, expiresAt} = journal
  const holder = holderAt(journal, host.locate('/proc'), isWhole)
  const atPath = await lookAtPath(journal, host)
  const times = {startedAt: Date.parse(startedAt), expiresAt: Date.parse(expiresAt)}
  return [{path, socket, ...times, pid: proxy.pid, ...(command && {command}), ...(holder && {holder}), ...(atPath && {atPath})}]
}

/** The boot is the same for all who look; a container's processes are not the node's. */
function holderAt(journal: Journal, proc: string, isWhole: boolean): TakeoverHolder | undefined {
  try {
    const holder = holderOf(journal, proc)
    const isSure = isWhole || holder?.otherBoot || holder?.proxy === 'there' || journal.pidNamespace !== undefined
    return isSure ? holder : undefined
  } catch {
    return undefined
  }
}
