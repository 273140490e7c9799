// Clients of two libraries, and all that gRPC has, against grpc-go: through the proxy they meet what they meet without.
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {faultOf} from '../../../src/faults/faults.ts'
import {startOracle} from '../../support/oracle-server.ts'
import {through, ways} from '../../support/proxied.ts'
import {tempDir} from '../../support/socket-dir.ts'
import {runSuite} from '../../support/suites/client-suite.ts'
import {connectClient} from '../../support/suites/connect-client.ts'
import {grpcJs} from '../../support/suites/grpc-js-client.ts'

const clients = {'@grpc/grpc-js': grpcJs, connect: connectClient}

/** A line for each case. */
const written = (outcomes: Readonly<Record<string, unknown>>) =>
  Object.entries(outcomes)
    .map(([name, outcome]) => `${name}: ${JSON.stringify(outcome)}\n`)
    .join('')

test.each(Object.entries(clients))('serveProxy() is not noticed by a client of %s', async (_, open) => {
  const folder = tempDir()
  await using server = await startOracle('serve-test', join(folder, 's'))
  const without = await runSuite(open, server.address)
  await expect(written(without)).toMatchFileSnapshot('client-suite.txt')
  for (const way of ways) {
    await using proxy = await way.open(server.address, folder)
    expect(await runSuite(open, proxy.path), way.name).toEqual(without)
  }
})

test.each(Object.entries(clients))('serveProxy() error: a client of %s has the code, the words and the details', async (_, open) => {
  const folder = tempDir()
  await using server = await startOracle('serve-test', join(folder, 's'))
  // google.rpc.ErrorInfo with the reason GONE_FISHING.
  const details = [{type: 'google.rpc.ErrorInfo', value: Buffer.from('\n\x0cGONE_FISHING').toString('base64')}]
  const fault = faultOf('error', {code: 'NOT_FOUND', message: 'not here', details})
  await using proxy = await through({rules: [{name: 'gone', match: {method: 'Unary'}, fault}]})(server.address, folder)
  using client = open(proxy.path)
  const answer = await client.unary('Unary', new Uint8Array(3))
  expect(answer).toMatchObject({code: 'NOT_FOUND', message: 'not here', reasons: ['GONE_FISHING'], messages: []})
})
