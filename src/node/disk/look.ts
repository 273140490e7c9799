// A look at one path, without following a link. It may hang: only a stat worker takes it.
import {lstatSync, readlinkSync, type Stats, statfsSync} from 'node:fs'
import type {EntryType} from '../disk.ts'
import type {Looked} from './protocol.ts'

export function look(path: string): Looked {
  try {
    const stats = lstatSync(path)
    const target = stats.isSymbolicLink() ? {target: readlinkSync(path)} : {}
    return {
      facts: {
        type: typeOf(stats),
        mode: stats.mode & 0o7777,
        size: stats.size,
        ...target,
        modifiedAt: Math.floor(stats.mtimeMs),
        device: deviceText(stats.dev),
      },
    }
  } catch (error) {
    return {code: codeOf(error)}
  }
}

/** What a file system says whose server or daemon is gone. Some that are well do not have the call, or not for us. */
const dead = new Set(['EHOSTDOWN', 'EHOSTUNREACH', 'EIO', 'ENOTCONN', 'ESHUTDOWN', 'ESTALE', 'ETIMEDOUT'])

/**
 * A look at what is mounted there.
 * @param statfs the kernel answers an lstat from what it has cached, even when a FUSE daemon is gone; statfs is always passed on.
 */
export function lookAtMount(path: string, statfs: boolean): Looked {
  const looked = look(path)
  if (!statfs || 'code' in looked) return looked
  try {
    statfsSync(path)
    return looked
  } catch (error) {
    const code = codeOf(error)
    return dead.has(code) ? {code} : looked
  }
}

export function typeOf(
  entry: Pick<Stats, `is${'File' | 'Directory' | 'SymbolicLink' | 'Socket' | 'BlockDevice' | 'CharacterDevice' | 'FIFO'}`>,
): EntryType {
  if (entry.isFile()) return 'file'
  if (entry.isDirectory()) return 'directory'
  if (entry.isSymbolicLink()) return 'link'
  if (entry.isSocket()) return 'socket'
  if (entry.isBlockDevice()) return 'block'
  if (entry.isCharacterDevice()) return 'character'
  return entry.isFIFO() ? 'fifo' : 'other'
}

/** Node.js has names for what other systems have, too: ESTALE is 'Unknown system error -116' to it. */
const unnamed: Readonly<Record<number, string>> = {
  116: 'ESTALE',
  117: 'EUCLEAN',
  122: 'EDQUOT',
  123: 'ENOMEDIUM',
  126: 'ENOKEY',
}

export function codeOf(error: unknown): string {
  const {code, errno} = error as NodeJS.ErrnoException
  return unnamed[-(errno ?? 0)] ?? code ?? 'UNKNOWN'
}

/** 'major:minor' of glibc's dev_t: 12 bits of the major above 8 of the minor, then the rest of the minor, then that of the major. */
export function deviceText(dev: number): string {
  const low = (dev % 2 ** 32) >>> 0
  const high = Math.floor(dev / 2 ** 32)
  const major = ((low >>> 8) & 0xfff) + Math.floor(high / 2 ** 12) * 2 ** 12
  const minor = (low & 0xff) + (low >>> 20) * 2 ** 8 + (high % 2 ** 12) * 2 ** 20
  return `${major}:${minor}`
}
