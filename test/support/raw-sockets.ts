// Sockets without any protocol, for what is below it.

import {existsSync, renameSync} from 'node:fs'
import {connect, createServer, type Server, type Socket} from 'node:net'
import {onTestFinished} from 'vitest'
import {systemClock} from '../../src/base/clock.ts'

/** What a client sees at once: the first that it is told, 'end', or the code of the error; after a while 'silence'. */
export async function codeOfConnecting(path: string, patienceMs = 400): Promise<string> {
  const socket = connect(path.startsWith('@') ? `\0${path.slice(1)}` : path)
  const patience = new AbortController()
  try {
    return await Promise.race([firstOf(socket), systemClock.sleep(patienceMs, patience.signal).then(() => 'silence')])
  } finally {
    patience.abort()
    socket.destroy()
  }
}

const firstOf = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    socket.once('data', (data) => resolve(data.toString()))
    socket.once('end', () => resolve('end'))
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
  })

/** A socket whose server is gone. */
export async function deadSocket(path: string): Promise<void> {
  const server = await listen(`${path}.dying`, () => undefined)
  renameSync(`${path}.dying`, path)
  server.close()
  if (!existsSync(path)) throw new Error('the file is gone')
}

/** Serves until the end of the test, or until it is closed with all its connections. */
export async function serving(path: string, onConnection: (socket: Socket) => void = (socket) => socket.end('served')) {
  const sockets = new Set<Socket>()
  const server = await listen(path, (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket)).on('error', () => undefined)
    onConnection(socket)
  })
  const close = () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(close)
  return {close, connections: () => sockets.size}
}

async function listen(path: string, onConnection: (socket: Socket) => void): Promise<Server> {
  const server = createServer(onConnection)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })
  return server
}
