// A relay between two peers that write frames by hand.
import type {HandleCall} from '../../src/proxy/relay/handling.ts'
import {relay} from '../../src/proxy/relay/relay.ts'
import {rawPeer} from './http2-raw-peer.ts'
import {passAll} from './relayed.ts'

export async function rawRelay(handleCall: HandleCall = passAll, {greets = true} = {}) {
  const {peer: client, other: clientSocket} = rawPeer('client', {greets})
  const {peer: server, other: serverSocket} = rawPeer('server', {greets})
  const pair = relay({client: clientSocket, upstream: serverSocket, handleCall})
  const settled = async () => {
    for (let round = 0; round < 3; round++) {
      await client.settled()
      await server.settled()
    }
  }
  await settled()
  return {client, server, pair, settled}
}
