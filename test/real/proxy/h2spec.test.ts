// h2spec through the proxy to golang.org/x/net/http2's server, all on loopback.
import {expect, test} from 'vitest'
import {runH2spec} from '../../support/h2spec.ts'
import {startOracle} from '../../support/oracle-server.ts'
import {ways} from '../../support/proxied.ts'
import {tempDir} from '../../support/socket-dir.ts'

test('serveProxy() lets through h2spec what the server lets through, and refuses what it refuses', async () => {
  await using server = await startOracle('serve-page', 'tcp:127.0.0.1:0')
  const folder = tempDir()
  const without = await runH2spec(server.address, folder)
  expect(without.length).toBeGreaterThan(140)
  for (const way of ways) {
    await using proxy = await way.open(server.address, folder)
    expect(await runH2spec(proxy.path, folder), way.name).toEqual(without)
  }
})
