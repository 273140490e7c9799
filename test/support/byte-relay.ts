// A relay that knows no protocol.
import type {Duplex} from 'node:stream'
import type {RelayEnding} from '../../src/proxy/relay/endings.ts'
import type {Relay} from '../../src/proxy/relay/relay.ts'

export function byteRelay(client: Duplex, upstream: Duplex): Relay {
  const {promise: ended, resolve} = Promise.withResolvers<RelayEnding>()
  const end = (ending: RelayEnding) => {
    client.destroy()
    upstream.destroy()
    resolve(ending)
  }
  client.pipe(upstream)
  upstream.pipe(client)
  client.on('close', () => end({side: 'client', reason: 'closed'}))
  upstream.on('close', () => end({side: 'server', reason: 'closed'}))
  return {ended, active: 0, drain: () => undefined, destroy: (reason) => end({side: 'proxy', reason})}
}
