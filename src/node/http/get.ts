// One GET over HTTP or HTTPS. Nothing else is ever sent, and redirects are not followed.
import {type ClientRequest, type IncomingMessage, request} from 'node:http'
import {connect as connectPlain} from 'node:net'
import type {Duplex} from 'node:stream'
import {firstLine} from '../../base/errors.ts'
import type {Secret} from '../secret.ts'
import {readBody} from './body.ts'
import {HttpFailure, systemFailure} from './failure.ts'
import {connectSecure, type TlsSettings} from './secure.ts'

export interface HttpTarget {
  readonly url: URL
  readonly tls?: TlsSettings
  readonly token?: Secret
  /** Of an address with a user in it, as Go's clients have it. */
  readonly login?: {readonly user: string; readonly password: Secret}
}

export interface HttpReply {
  readonly status: number
  readonly text: string
}

interface GetOptions {
  readonly signal: AbortSignal
  /** Bytes of the body, inflated. */
  readonly limit: number
}

/** @throws HttpFailure, or the signal's reason. */
export async function httpGet(target: HttpTarget, {signal, limit}: GetOptions): Promise<HttpReply> {
  signal.throwIfAborted()
  const {url, tls, token, login} = target
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  let socket: Duplex | undefined
  const abort = () => socket?.destroy()
  signal.addEventListener('abort', abort, {once: true})
  try {
    const keep = (opened: Duplex) => {
      socket = opened
    }
    const connection = url.protocol === 'https:' ? await connectSecure({host, port, tls, keep}) : connectPlain({host, port})
    keep(connection)
    const headers = {
      accept: '*/*',
      'accept-encoding': 'gzip',
      connection: 'close',
      'user-agent': 'kubelimbo',
      ...(login && {authorization: `Basic ${Buffer.from(`${login.user}:${login.password.reveal()}`).toString('base64')}`}),
      ...(token && {authorization: `Bearer ${token.reveal()}`}),
    }
    const path = `${url.pathname}${url.search}`
    const response = await responseTo(request({host, port, path, headers, createConnection: () => connection}))
    const text = await readBody(response, limit)
    return {status: response.statusCode ?? 0, text}
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof HttpFailure) throw error
    const {code} = error as NodeJS.ErrnoException
    throw systemFailure(code) ?? new HttpFailure('broken', code?.startsWith('HPE_') ? 'it speaks no HTTP' : firstLine(error))
  } finally {
    signal.removeEventListener('abort', abort)
    socket?.destroy()
  }
}

function responseTo(sent: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    sent.once('response', resolve)
    // It stays: what ends the socket later is an error of the request, too.
    sent.on('error', reject)
    sent.end()
  })
}
