// Clients of two libraries, and all that gRPC has, against grpc-go: through the proxy they meet what they meet without.
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {startOracle} from '../../support/oracle-server.ts'
import {ways} from '../../support/proxied.ts'
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
