// What lies at the path of a socket that a journal tells of: a journal alone does not say whether the swap came, or was undone.
import {lstat} from 'node:fs/promises'
import {basename, dirname, join} from 'node:path'
import type {Host} from '../endpoints/host.ts'
import {followLinks} from '../follow-links.ts'
import type {FileId, Journal} from './journal.ts'
import {sameFile} from './same-file.ts'

export const atPaths = ['original', 'ours', 'other', 'nothing'] as const

export type AtPath = (typeof atPaths)[number]

/** Undefined: nobody may look. Never throws. */
export async function lookAtPath(
  {socket, original, ours}: Journal,
  {locate, reach}: Pick<Host, 'locate' | 'reach'>,
): Promise<AtPath | undefined> {
  try {
    const directory = await followLinks(dirname(socket), locate, reach)
    const {dev, ino, birthtimeNs} = await lstat(join(locate(directory), basename(socket)), {bigint: true})
    const found: FileId = {device: `${dev}`, inode: `${ino}`, born: `${birthtimeNs}`}
    if (sameFile(found, original)) return 'original'
    return ours.some((each) => sameFile(found, each)) ? 'ours' : 'other'
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'nothing' : undefined
  }
}
