// Which socket is to be taken over: a file with a path. What has none cannot be renamed.
import {parseProxyAddress} from '../listen/proxy-address.ts'
import {refuse} from './refuse.ts'

/** @param text as it was typed @param what names the setting in messages: '--socket' @returns the path, links and all @throws UserError */
export function parseTakenSocket(text: string, what: string): string {
  const address = parseProxyAddress(text, what)
  const hint = 'stand before it with --listen and --upstream instead'
  if (address.kind === 'tcp') throw refuse(text.trim(), 'it must be a unix socket with a path: it is a port', hint)
  if (address.path.startsWith('@')) throw refuse(address.path, 'it must be a unix socket with a path: an abstract one has none', hint)
  return address.path
}
