// The control socket of a proxy: HTTP and JSON on a unix socket, for the other commands and for scripts (docs/inject.md).

import {rm} from 'node:fs/promises'
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http'
import {firstLine, UserError} from '../../base/errors.ts'
import {deadSocketAt} from '../listen/free-place.ts'
import {bindAt, identityOf, sameFile} from '../listen/socket-file.ts'
import {type Answer, answerControl, type Controlled} from './control-routes.ts'
import {streamCalls} from './stream-calls.ts'

const mostBytes = 1024 * 1024

/** It listens when this resolves. @throws UserError when something lives at the path */
export async function serveControl(path: string, controlled: Controlled): Promise<AsyncDisposable> {
  await deadSocketAt(path)
  const server = createServer((request, response) => {
    handle(request, response, controlled).catch((error: unknown) => {
      if (response.headersSent) response.destroy()
      else send(response, {status: 500, body: {error: firstLine(error)}})
    })
  })
  const file = await bindAt(path, server, 0o600)
  return {
    [Symbol.asyncDispose]: async () => {
      // What cannot be removed is a dead socket, and the next start removes it.
      const ours = await identityOf(path).catch(() => undefined)
      if (sameFile(ours, file)) await rm(path, {force: true}).catch(() => undefined)
      server.close()
      server.closeAllConnections()
    },
  }
}

async function handle(request: IncomingMessage, response: ServerResponse, controlled: Controlled): Promise<void> {
  // Not by URL: it takes '/v1/rules/.' for '/v1/rules/'.
  const [path = '', query = ''] = (request.url ?? '/').replace(/^https?:\/\/[^/?]*/i, '').split('?')
  const method = request.method ?? 'GET'
  if (method === 'GET' && path === '/v1/calls') return streamCalls(response, controlled.calls, new URLSearchParams(query))
  const body = await bodyOf(request)
  if (body === undefined)
    return send(response, {status: 413, body: {error: `Cannot take the request as it must have at most ${mostBytes} bytes`}})
  send(response, answered({method, path, body}, controlled))
}

function answered(request: Parameters<typeof answerControl>[0], controlled: Controlled): Answer {
  try {
    return answerControl(request, controlled)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return {
      status: 400,
      body: {error: error.message, ...(error.more.length > 0 && {more: error.more}), ...(error.hint !== undefined && {hint: error.hint})},
    }
  }
}

function send(response: ServerResponse, {status, body, allow}: Answer): void {
  response.writeHead(status, {'content-type': 'application/json', ...(allow === undefined ? {} : {allow})})
  response.end(`${JSON.stringify(body)}\n`)
}

/** Undefined when it is too long. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of request) {
    bytes += (piece as Buffer).length
    if (bytes <= mostBytes) pieces.push(piece as Buffer)
  }
  return bytes > mostBytes ? undefined : Buffer.concat(pieces).toString()
}
