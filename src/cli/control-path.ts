// --control: where the control socket of an injector is. A path, or an address as other flags have it.
import {resolve} from 'node:path'
import {UserError} from '../base/errors.ts'
import {parseSocketAddress} from '../wire/socket-address.ts'

/** Absolute. @throws UserError */
export function parseControlPath(text: string): string {
  const trimmed = text.trim()
  if (trimmed === '') throw new UserError('Cannot use --control as it must name a socket: it is empty', {hint})
  const isAddress = /^(@|[a-z][a-z0-9+.-]*:)/i.test(trimmed) || trimmed.endsWith('/')
  const {path} = parseSocketAddress(isAddress ? trimmed : resolve(trimmed), '--control')
  if (!path.startsWith('@')) return resolve(path)
  throw new UserError(`Cannot use --control as it must be a path, which has an owner: it is '${trimmed}', a name that everybody reaches`, {
    hint,
  })
}

const hint = 'write it as unix:///run/kubelimbo/inject-1.sock, or as a path'
