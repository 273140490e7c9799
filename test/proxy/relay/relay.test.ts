// Clients and servers of node:http2 (nghttp2) and of our own, with a relay in between.
import {once} from 'node:events'
import type * as node from 'node:http2'
import {describe, expect, test} from 'vitest'
import {nodeClient, nodeServer, ourClient, ourServer} from '../../support/http2-peers.ts'
import {relayed} from '../../support/relayed.ts'

async function ask(session: node.ClientHttp2Session, body: Buffer) {
  const stream = session.request({':method': 'POST', ':path': '/a.B/C', te: 'trailers'}, {waitForTrailers: true})
  stream.on('wantTrailers', () => stream.sendTrailers({'x-req': 'r'}))
  let head: object = {}
  let tail: object = {}
  stream.on('response', (headers) => (head = headers))
  stream.on('trailers', (headers) => (tail = headers))
  const pieces: Buffer[] = []
  stream.on('data', (piece) => pieces.push(piece))
  for (let at = 0; at < body.length; at += 65_536) if (!stream.write(body.subarray(at, at + 65_536))) await once(stream, 'drain')
  stream.end()
  await once(stream, 'end')
  return {head, tail, body: Buffer.concat(pieces)}
}

function nodeEcho(stream: node.ServerHttp2Stream, headers: node.IncomingHttpHeaders): void {
  stream.on('error', () => undefined)
  stream.on('wantTrailers', () => stream.sendTrailers({'x-tail': 't'}))
  stream.respond({':status': 200, 'x-authority': headers[':authority']}, {waitForTrailers: true})
  stream.pipe(stream)
}

describe('relay()', () => {
  test.each([0, 10, 100_000, 20_000_000])('passes a call of node:http2 of %d bytes', async (size) => {
    const {path} = await relayed(await nodeServer(nodeEcho))
    const session = nodeClient(path)
    const body = Buffer.alloc(size, 'x')
    const answer = await ask(session, body)
    expect(answer.head).toMatchObject({':status': 200, 'x-authority': 'localhost'})
    expect(answer.tail).toMatchObject({'x-tail': 't'})
    expect(answer.body.equals(body)).toBe(true)
  })

  test('ends when the client ends', async () => {
    const {path, relays} = await relayed(await nodeServer(nodeEcho))
    const session = nodeClient(path)
    await ask(session, Buffer.from('a'))
    session.close()
    await once(session, 'close')
    expect(await relays[0]?.ended).toMatchObject({side: 'client'})
  })
})
void ourClient
void ourServer
