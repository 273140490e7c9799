// A relay between two peers that write frames by hand.
import {clientPreface} from '../../src/http2/preface.ts'
import type {HandleCall} from '../../src/proxy/relay/handling.ts'
import {relay} from '../../src/proxy/relay/relay.ts'
import {emptySettings, rawPeer} from './http2-raw-peer.ts'
import {passAll} from './relayed.ts'

/** @param greets whether both have sent SETTINGS and acknowledged the other's */
export async function rawRelay(handleCall: HandleCall = passAll, {greets = true} = {}) {
  const {peer: client, other: clientSocket} = rawPeer('client', {greets: false})
  const {peer: server, other: serverSocket} = rawPeer('server', {greets: false})
  const pair = relay({client: clientSocket, upstream: serverSocket, handleCall})
  const settled = async () => {
    for (let round = 0; round < 3; round++) {
      await client.settled()
      await server.settled()
    }
  }
  if (greets) {
    client.send(clientPreface, emptySettings)
    server.send(emptySettings)
    await settled()
    for (const peer of [client, server]) peer.send({type: 'SETTINGS', ack: true, values: []})
    await settled()
  }
  return {client, server, pair, settled}
}
