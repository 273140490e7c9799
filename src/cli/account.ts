// A user id need not have an account: in containers, in a bare root directory. oclif asks for home and shell as soon as it is loaded, and Node.js
// then throws; it has no use for either here. To be imported before it.
import {homedir} from 'node:os'

process.env.SHELL ||= '/bin/sh'
try {
  homedir()
} catch {
  process.env.HOME = '/'
}

/** Not by os.userInfo(), which throws then. */
export const myUid = (): number => process.getuid?.() ?? 0
