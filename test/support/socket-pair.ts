// Two ends of a unix socket's connection.
import {once} from 'node:events'
import {connect, createServer, type Socket} from 'node:net'
import {join} from 'node:path'
import {onTestFinished} from 'vitest'
import {tempDir} from './socket-dir.ts'

export async function socketPair(): Promise<readonly [Socket, Socket]> {
  const path = join(tempDir(), 's')
  const server = createServer({allowHalfOpen: true})
  await once(server.listen(path), 'listening')
  const one = connect({path, allowHalfOpen: true})
  const [other] = (await once(server, 'connection')) as [Socket]
  server.close()
  onTestFinished(() => {
    one.destroy()
    other.destroy()
  })
  return [one, other]
}
