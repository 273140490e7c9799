// A relay between a unix socket that clients find and the socket of a server.
import {once} from 'node:events'
import {connect, createServer, type Socket} from 'node:net'
import {join} from 'node:path'
import {onTestFinished} from 'vitest'
import type {HandleCall} from '../../src/proxy/relay/handling.ts'
import {type Relay, relay} from '../../src/proxy/relay/relay.ts'
import {tempDir} from './socket-dir.ts'

export interface Relayed {
  readonly path: string
  readonly relays: readonly Relay[]
}

export const passAll: HandleCall = () => ({kind: 'pass'})

export async function relayed(upstream: string, handleCall: HandleCall = passAll): Promise<Relayed> {
  const path = join(tempDir(), 'r')
  const relays: Relay[] = []
  const sockets: Socket[] = []
  const server = createServer({allowHalfOpen: true}, (client) => {
    const up = connect({path: upstream, allowHalfOpen: true})
    sockets.push(client, up)
    relays.push(relay({client, upstream: up, handleCall}))
  })
  onTestFinished(() => {
    for (const one of relays) one.destroy('the test is over')
    server.close()
  })
  await once(server.listen(path), 'listening')
  return {path, relays}
}
