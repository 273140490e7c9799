// A grpc-go client pings while it receives, and a grpc-go server ends connections that ping while it sends nothing: through the proxy neither notices that the
// server has long since sent what the client still receives.
import {join} from 'node:path'
import {expect, test} from 'vitest'
import type {Plan} from '../../../src/faults/plan.ts'
import type {Rule} from '../../../src/faults/rule.ts'
import {type AskedAtOnce, goCallsAtOnce} from '../../support/go-client.ts'
import {startOracle} from '../../support/oracle-server.ts'
import {through} from '../../support/proxied.ts'
import {tempDir} from '../../support/socket-dir.ts'

const list = '/runtime.v1.RuntimeService/ListContainers'
const mebibyte = 1024 * 1024

const ruled = (reply: Plan['reply']): readonly Rule[] => [
  {name: 'r', match: {method: 'ListContainers'}, fault: {kind: 'r', plan: {before: 0, forward: 1, upstreamDeadline: 'keep', reply}}},
]

const cases: readonly (readonly [string, readonly Rule[], readonly AskedAtOnce[], number])[] = [
  [
    'ten answers of 30 MB at once',
    [],
    Array.from({length: 10}, () => ({path: '/x.Y/Large', message: new Uint8Array(30_000).fill(7), times: 1000})),
    30_000_000,
  ],
  [
    'an answer of 300 KB at 300 KiB/s',
    ruled({kind: 'throttle', bytesPerSecond: 300 * 1024}),
    [{path: list, message: new Uint8Array(300).fill(7), times: 1000}],
    300_000,
  ],
  [
    'an answer of nothing that is padded to 10 MiB',
    ruled({kind: 'edit', edits: [{kind: 'pad', bytes: 10 * mebibyte}]}),
    [{path: list, message: new Uint8Array(0)}],
    10 * mebibyte,
  ],
]

test.each(cases)('serveProxy() brings %s, and no server complains of PINGs', async (_, rules, asked, least) => {
  const folder = tempDir()
  await using server = await startOracle('serve-grpc', join(folder, 's'))
  await using proxy = await through({rules})(server.address, folder)
  const {answers, log} = await goCallsAtOnce(proxy.path, asked)
  expect(answers.map(([code]) => code)).toEqual(asked.map(() => 'OK'))
  for (const [, bytes] of answers) expect(bytes).toBeGreaterThanOrEqual(least)
  expect(log).not.toContain('too_many_pings')
  // Once it is connected, and never again.
  expect(log.match(/Subchannel Connectivity change to READY/g)).toHaveLength(1)
})
