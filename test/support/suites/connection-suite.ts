// What happens to a whole connection: the server stops gracefully, is silent for long, or does not answer PINGs. Each case has a server of its own.
import {join} from 'node:path'
import {systemClock} from '../../../src/base/clock.ts'
import type {Listening} from '../listening.ts'
import {type OracleServer, startOracle} from '../oracle-server.ts'
import {until} from '../until.ts'
import type {OpenClient, SuiteClient} from './suite-client.ts'
import {content, told} from './told.ts'

type ConnectionCase = (server: OracleServer, open: () => SuiteClient, openPinging: () => SuiteClient) => Promise<unknown>

const say = Buffer.from('still there?')

const cases: Readonly<Record<string, ConnectionCase>> = {
  'the server stops gracefully': async (server, open) => {
    using client = open()
    const talk = client.bidi('Bidi')
    await talk.send(say)
    await talk.receive()
    server.kill('SIGTERM')
    // GOAWAY has come when a new call finds nobody. Each library has a code of its own for that.
    await until(async () => {
      const {code} = await client.unary('Unary', say, {timeoutMs: 2000})
      if (code === 'OK') throw new Error('the server still takes calls')
    })
    await talk.send(content(50_000))
    const heard = told(await talk.receive())
    talk.end()
    const last = told(await talk.receive())
    return {heard, last, outcome: (await talk.outcome).code, exit: await server.ended}
  },
  'nothing is said for longer than the server waits for the answer to its PING': async (_, open) => {
    using client = open()
    const talk = client.bidi('Bidi')
    await talk.send(say)
    await talk.receive()
    await systemClock.sleep(3500)
    await talk.send(content(100))
    const heard = told(await talk.receive())
    talk.end()
    await talk.receive()
    return {heard, outcome: (await talk.outcome).code}
  },
  'the server answers the PINGs of the client, and then no more': async (server, _, openPinging) => {
    using client = openPinging()
    const slow = client.unary('Hang', say, {metadata: {'x-name': 'pings'}})
    await systemClock.sleep(1000)
    const first = await Promise.race([slow, 'is pending' as const])
    server.kill('SIGSTOP')
    const started = systemClock.now()
    const {code} = await slow
    const inTime = systemClock.now() - started < 3000
    server.kill('SIGCONT')
    return {first, code, inTime}
  },
}

/** All at once, as most of the time is waiting. */
export async function runConnectionSuite(
  open: OpenClient,
  folder: string,
  between: (upstream: string) => Promise<Listening>,
): Promise<Record<string, unknown>> {
  const outcomes = await Promise.all(
    Object.entries(cases).map(async ([name, run], at) => {
      await using server = await startOracle('serve-test', join(folder, `s${at}`))
      await using proxy = await between(server.address)
      const outcome = await run(
        server,
        () => open(proxy.path),
        () => open(proxy.path, {pings: {every: 200, timeout: 400}}),
      )
      return [name, outcome] as const
    }),
  )
  return Object.fromEntries(outcomes)
}
