// Servers on loopback that answer as a kubelet or an API server does, or as a broken one.
import {createServer as createHttp, type IncomingMessage, type ServerResponse} from 'node:http'
import {createServer as createHttps} from 'node:https'
import type {AddressInfo, Server, Socket} from 'node:net'
import {createServer as createTcp} from 'node:net'
import type {TLSSocket} from 'node:tls'
import {onTestFinished} from 'vitest'
import type {Certificate} from './certificate.ts'

export interface Asked {
  readonly method: string
  readonly url: string
  readonly authorization: string | undefined
  /** The common name of the client's certificate. */
  readonly client: string | undefined
}

export interface FakeServer {
  readonly port: number
  readonly url: string
  readonly asked: readonly Asked[]
}

/** A status and a text, or the whole answer by hand. */
export type Answer = string | readonly [status: number, text: string] | ((response: ServerResponse, request: IncomingMessage) => void)

/** Paths without their query. What is not there is 404. @param tls makes it https. */
export async function fakeServer(answers: Readonly<Record<string, Answer>>, tls?: Certificate): Promise<FakeServer> {
  const asked: Asked[] = []
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const client = (request.socket as Partial<TLSSocket>).getPeerCertificate?.().subject?.CN
    const {method = '', url = '', headers} = request
    asked.push({method, url, authorization: headers.authorization, client: Array.isArray(client) ? client[0] : client})
    const found = answers[url.replace(/\?.*/, '')]
    if (typeof found === 'function') found(response, request)
    else {
      const [status, text] = typeof found === 'string' ? [200, found] : (found ?? [404, '404 page not found\n'])
      response.writeHead(status).end(text)
    }
  }
  const server = tls ? createHttps({...tls, requestCert: true, rejectUnauthorized: false}, answer) : createHttp(answer)
  const port = await listen(server)
  return {port, url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`, asked}
}

/** Takes connections and does with them whatever the test wants. */
export async function rawServer(connected: (socket: Socket) => void): Promise<FakeServer> {
  const port = await listen(createTcp(connected))
  return {port, url: `http://127.0.0.1:${port}`, asked: []}
}

/** A port on which nothing listens. */
export async function closedPort(): Promise<number> {
  const server = createTcp()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const {port} = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return (server.address() as AddressInfo).port
}
