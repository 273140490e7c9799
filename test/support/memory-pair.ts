// Two ends of a connection in memory that ends as a socket's does: what is written to an end that is closed is lost, where duplexPair() waits for ever.
import {type Duplex, duplexPair} from 'node:stream'

export function memoryPair(): readonly [Duplex, Duplex] {
  const [one, other] = duplexPair()
  for (const [closed, left] of [
    [one, other],
    [other, one],
  ] as const) {
    closed.on('close', () => (left.readableEnded ? left.destroy() : left.once('end', () => left.destroy())))
  }
  return [one, other]
}
