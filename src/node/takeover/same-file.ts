// Whether two looks at a directory saw the same file.
import type {FileId} from './journal.ts'

/** Both are of one directory: after a reboot its device may have another number, so it counts only where nothing tells when a file was born. */
export const sameFile = (one: FileId | undefined, other: FileId | undefined): boolean =>
  one !== undefined &&
  other !== undefined &&
  one.inode === other.inode &&
  one.born === other.born &&
  (one.born !== '0' || one.device === other.device)
