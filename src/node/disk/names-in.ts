// A directory's entries, but not without end: the one who fills it may be a pod.
import {type Dirent, opendirSync} from 'node:fs'

/**
 * The first `most` of them, in no order.
 * @throws the system's error
 */
export function namesIn(path: string, most: number): Dirent[] {
  const folder = opendirSync(path, {bufferSize: 256})
  try {
    const names: Dirent[] = []
    for (let entry = folder.readSync(); entry !== null && names.length < most; entry = folder.readSync()) names.push(entry)
    return names
  } finally {
    folder.closeSync()
  }
}
