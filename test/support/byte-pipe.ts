// A listener that carries bytes to another socket and back: what a proxy costs at the least.
import {connect, createServer} from 'node:net'
import {type Listening, listening} from './listening.ts'

/** @param path and `upstream`: unix sockets, or 'tcp:HOST:PORT' as upstream */
export async function bytePipe(path: string, upstream: string): Promise<Listening> {
  const server = createServer({allowHalfOpen: true}, (client) => {
    const [, host = '', port] = /^tcp:(.+):(\d+)$/.exec(upstream) ?? []
    const server =
      port === undefined ? connect({path: upstream, allowHalfOpen: true}) : connect({host, port: Number(port), allowHalfOpen: true})
    client.pipe(server).pipe(client)
    client.on('error', () => server.destroy()).once('close', () => server.destroy())
    server.on('error', () => client.destroy()).once('close', () => client.destroy())
  })
  return listening(server, path)
}
