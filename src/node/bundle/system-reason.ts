// What the system said, in words for a sentence.
import {firstLine} from '../../base/errors.ts'

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'there is no such file or folder',
  EACCES: 'permission denied',
  ELOOP: 'it is a symbolic link that leads nowhere or must not be followed',
  EISDIR: 'it must be a regular file: it is a directory',
  ENXIO: 'it is a socket or a device without a driver',
}

export function systemReason(error: unknown): string {
  return reasons[(error as NodeJS.ErrnoException).code ?? ''] ?? firstLine(error)
}
