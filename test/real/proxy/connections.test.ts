// GOAWAY, PINGs and silence of grpc-go's server, as clients of two libraries meet them.
import {expect, test} from 'vitest'
import {directly, ways} from '../../support/proxied.ts'
import {tempDir} from '../../support/socket-dir.ts'
import {connectClient} from '../../support/suites/connect-client.ts'
import {runConnectionSuite} from '../../support/suites/connection-suite.ts'
import {grpcJs} from '../../support/suites/grpc-js-client.ts'

const clients = {'@grpc/grpc-js': grpcJs, connect: connectClient}

test.each(Object.entries(clients))('serveProxy() ends connections of a client of %s when the server does', async (_, open) => {
  // At the same time, as most of it is waiting.
  const [without, ...through] = await Promise.all(
    [directly, ...ways.map((way) => way.open)].map((between) => {
      const folder = tempDir()
      return runConnectionSuite(open, folder, (upstream) => between(upstream, folder))
    }),
  )
  expect(without).toMatchInlineSnapshot(`
    {
      "nothing is said for longer than the server waits for the answer to its PING": {
        "heard": "100 dad90e31",
        "outcome": "OK",
      },
      "the server answers the PINGs of the client, and then no more": {
        "code": "UNAVAILABLE",
        "first": "is pending",
        "inTime": true,
      },
      "the server stops gracefully": {
        "exit": 0,
        "heard": "50000 7333e0ca",
        "last": "none",
        "outcome": "OK",
      },
    }
  `)
  for (const [index, outcome] of through.entries()) expect(outcome, ways[index]?.name).toEqual(without)
})
