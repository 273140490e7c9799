// What lies where a socket should: connect(2) has one code for a file and for a socket that nobody listens on.
import {statSync} from 'node:fs'

/** False when there is nothing, or nobody may look. */
export function isNoSocket(path: string): boolean {
  try {
    return !statSync(path).isSocket()
  } catch {
    return false
  }
}
