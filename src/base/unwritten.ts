// A file or folder of ours that the system did not take: in words, with what to do next.
import {firstLine, UserError} from './errors.ts'
import {exitCodes} from './exit-codes.ts'

const reasons: Readonly<Record<string, {readonly why: string; readonly hint: string}>> = {
  ENOSPC: {why: 'there is no room left on the disk', hint: 'make room, or name a place on another disk'},
  EDQUOT: {why: 'your quota of the disk is used up', hint: 'make room, or name a place on another disk'},
  EFBIG: {why: 'a file may not be so large there', hint: 'name a place on another disk'},
  EROFS: {why: 'the file system is read-only', hint: 'name a place where files can be made'},
  EACCES: {why: 'permission denied', hint: 'name a place where you may make files'},
  EPERM: {why: 'permission denied', hint: 'name a place where you may make files'},
  ENOENT: {why: 'its folder is not there', hint: 'make its folder, or name another place'},
  ENOTDIR: {why: 'a part of its path is no folder', hint: 'name another place'},
  EEXIST: {why: 'it is there already', hint: 'name another one'},
  ENAMETOOLONG: {why: 'its name is too long', hint: 'give it a shorter name'},
  EIO: {why: 'the disk does not work', hint: 'name a place on another disk'},
}

/** Why the system refused to write, in words. */
export function unwrittenReason(error: unknown): string {
  return reasonOf(error)?.why ?? firstLine(error)
}

/** What can be done about it. */
export function unwrittenHint(error: unknown): string {
  return reasonOf(error)?.hint ?? 'name another place'
}

/** A disk that takes no more: what was asked for is right, and still cannot be done. */
export function isFullDisk(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO'].includes(codeOf(error))
}

export function isReadOnlyDisk(error: unknown): boolean {
  return codeOf(error) === 'EROFS'
}

/** @param doing 'write a.tar.gz as it must be a new file' @returns `error` itself when it is no refusal of the system's */
export function unwritten(doing: string, error: unknown): unknown {
  if (error instanceof UserError || codeOf(error) === '') return error
  return new UserError(`Cannot ${doing}: ${unwrittenReason(error)}`, {
    hint: unwrittenHint(error),
    exit: isFullDisk(error) ? exitCodes.blind : exitCodes.usage,
    cause: error,
  })
}

function reasonOf(error: unknown): (typeof reasons)[string] | undefined {
  const code = codeOf(error)
  return Object.hasOwn(reasons, code) ? reasons[code] : undefined
}

function codeOf(error: unknown): string {
  const {code} = (error ?? {}) as NodeJS.ErrnoException
  // Node's own codes have an underscore: those are our bugs.
  return typeof code === 'string' && /^E[A-Z0-9]+$/.test(code) ? code : ''
}
