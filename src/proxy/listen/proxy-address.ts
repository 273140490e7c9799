// Where a proxy listens and what it stands before: a unix socket, or a port of this machine alone.
import {UserError} from '../../base/errors.ts'
import {connectPath, endpointOf, parseSocketAddress} from '../../wire/socket-address.ts'

export type ProxyAddress =
  /** A path, or '@name' for an abstract socket. */
  {readonly kind: 'unix'; readonly path: string} | {readonly kind: 'tcp'; readonly host: string; readonly port: number}

/** @param what names the setting in messages: '--listen' @throws UserError */
export function parseProxyAddress(text: string, what: string): ProxyAddress {
  const trimmed = text.trim()
  if (!trimmed.startsWith('tcp:')) return {kind: 'unix', path: parseSocketAddress(trimmed, what).path}
  const [, host = '', port = ''] = /^tcp:(?:\/\/)?(.*):(\d+)$/.exec(trimmed) ?? []
  if (!loopback.has(host) || Number(port) > 65_535)
    throw new UserError(`Cannot use ${what} as it must be a port of the loopback address: it is '${trimmed}'`, {
      hint: 'write it as tcp:127.0.0.1:7000: whoever reaches the proxy has all rights that it has',
    })
  return {kind: 'tcp', host: host === '[::1]' ? '::1' : host, port: Number(port)}
}

const loopback: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]'])

/** For messages, and to be parsed again. */
export function addressText(address: ProxyAddress): string {
  if (address.kind === 'unix') return endpointOf(address.path)
  return `tcp:${address.host.includes(':') ? `[${address.host}]` : address.host}:${address.port}`
}

/** As node:net takes it, to connect and to listen. */
export function netOptions(address: ProxyAddress): {readonly path: string} | {readonly host: string; readonly port: number} {
  return address.kind === 'unix' ? {path: connectPath(address.path)} : {host: address.host, port: address.port}
}

/** Whether there is a file that somebody could remove. */
export const hasFile = (address: ProxyAddress): address is {readonly kind: 'unix'; readonly path: string} =>
  address.kind === 'unix' && !address.path.startsWith('@')
