// A TLS connection that is checked before a byte of ours goes over it.
import {isIP} from 'node:net'
import {connect, type TLSSocket} from 'node:tls'
import type {Secret} from '../secret.ts'
import {HttpFailure} from './failure.ts'

export interface TlsSettings {
  /** PEM; default: those that the system trusts. */
  readonly ca?: string
  /** The name that the certificate must be for; default: the host's. */
  readonly serverName?: string
  /** Against the authorities. */
  readonly verify: boolean
  /** SHA-256 fingerprints: the certificate must be one of these, whoever signed it and however old it is. */
  readonly pins?: ReadonlySet<string>
  /** Our own certificate, PEM. */
  readonly cert?: string
  readonly key?: Secret
}

interface Where {
  readonly host: string
  readonly port: number
  readonly tls: TlsSettings | undefined
  /** Hands the socket over at once, to whoever may want to end it. */
  readonly keep: (socket: TLSSocket) => void
}

/** @throws HttpFailure or the system's error */
export async function connectSecure({host, port, tls = {verify: true}, keep}: Where): Promise<TLSSocket> {
  const {ca, serverName, verify, pins, cert, key} = tls
  const name = serverName ?? (isIP(host) ? undefined : host)
  const socket = connect({
    host,
    port,
    rejectUnauthorized: verify,
    ...(name !== undefined && {servername: name}),
    ...(ca !== undefined && {ca}),
    ...(cert !== undefined && key !== undefined && {cert, key: key.reveal()}),
  })
  keep(socket)
  await new Promise<void>((resolve, reject) => {
    socket.once('secureConnect', resolve)
    socket.once('error', reject)
    socket.once('close', () => reject(Object.assign(new Error('closed'), {code: 'ECONNRESET'})))
  })
  const shown = socket.getPeerX509Certificate()?.fingerprint256
  if (pins !== undefined && pins.size > 0 && (shown === undefined || !pins.has(shown))) {
    throw new HttpFailure('tls', "whoever listens there does not show the kubelet's certificate, so nothing was sent")
  }
  return socket
}
