// Memory of the proxy, which is a process of its own here, with V8 as `inject` and `trace` have it: 100,000 calls over 50 connections leave no trace.
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {fieldValue} from '../../../src/http2/header-field.ts'
import {listeningChild} from '../../support/listening-child.ts'
import {startOracle} from '../../support/oracle-server.ts'
import {type RawCaller, rawCaller} from '../../support/raw-grpc.ts'
import {tempDir} from '../../support/socket-dir.ts'

const main = join(import.meta.dirname, '../../support/proxy-main.ts')

/** Half of the calls pass frame by frame, the others are taken. */
const rule = {
  name: 'taken',
  match: {method: 'Taken'},
  fault: {kind: 'delay', plan: {before: 0, forward: 1, upstreamDeadline: 'keep', reply: {kind: 'hold', ms: 0}}},
}
const message = new Uint8Array(500).fill(7)

/** Each tenth is given up. */
async function calls(client: RawCaller, count: number): Promise<void> {
  for (let at = 0; at < count; at++) {
    const stream = await client.open(at % 2 === 0 ? '/soak.Soak/Passed' : '/soak.Soak/Taken', message)
    if (at % 10 === 9) {
      stream.reset(8)
      continue
    }
    await stream.response
    let bytes = 0
    for await (const piece of stream) bytes += piece.length
    if (bytes !== message.length + 5) throw new Error(`The answer has ${bytes} bytes`)
    if (fieldValue(stream.trailers ?? [], 'grpc-status') !== '0') throw new Error('The call failed')
  }
}

test('serveProxy() has after 100,000 calls the memory that it had after 10,000', async () => {
  const folder = tempDir()
  await using server = await startOracle('serve-grpc', join(folder, 's'))
  await using proxy = await listeningChild(process.execPath, [main, join(folder, 'p'), server.address, JSON.stringify(rule)])
  const clients = Array.from({length: 50}, () => rawCaller(join(folder, 'p')))
  const all = (count: number) => Promise.all(clients.map((client) => calls(client, count)))
  await all(200)
  const first = proxy.residentBytes()
  await all(1800)
  const last = proxy.residentBytes()
  for (const client of clients) client[Symbol.dispose]()
  expect(last).toBeLessThanOrEqual(first * 1.1)
})
