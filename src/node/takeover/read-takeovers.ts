// Reads the journals that a takeover leaves: one file each, gone when the socket was given back.
import * as v from 'valibot'
import {firstLine} from '../../base/errors.ts'
import {readInstant} from '../../base/instant.ts'
import {readRegularFile} from '../disk/regular-file.ts'
import type {Host} from '../endpoints/host.ts'
import {failed, type Reading, read} from '../reading.ts'
import type {TakeoverJournal} from './takeover.ts'

const folder = '/run/kubelimbo/takeover'
const limit = 64 * 1024

/** Of a journal, what a look at a node needs. */
const journal = v.object({
  socket: v.pipe(v.string(), v.startsWith('/')),
  expiresAt: v.pipe(
    v.string(),
    v.check((moment) => readInstant(moment) !== undefined),
    v.transform(Date.parse),
  ),
})

/** Never throws. On most nodes there are none. */
export async function readTakeovers(host: Pick<Host, 'filesBelow' | 'locate'>): Promise<Reading<readonly TakeoverJournal[]>> {
  try {
    const files = await host.filesBelow(folder)
    return read(files.filter((path) => path.endsWith('.json')).map((path) => readJournal(path, host.locate(path))))
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? read([]) : failed(firstLine(error))
  }
}

function readJournal(path: string, located: string): TakeoverJournal {
  // The folder lies in memory: to read it cannot hang.
  const file = readRegularFile(located, limit)
  if ('unreadable' in file) return {path, unreadable: file.unreadable}
  try {
    const result = v.safeParse(journal, JSON.parse(new TextDecoder().decode(file.bytes)), {abortEarly: true})
    if (result.success) return {path, ...result.output}
    const field = v.getDotPath(result.issues[0])
    return {path, unreadable: field === null ? 'it is no object' : `its '${field}' cannot be used`}
  } catch {
    return {path, unreadable: file.bytes.length === 0 ? 'it is empty' : 'it is no JSON'}
  }
}
