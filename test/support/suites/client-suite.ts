// What a gRPC client can meet, as a list of cases against `http2-oracle serve-test`. Each returns plain data: the same with and without a proxy.
import {givingUpCases} from './giving-up-cases.ts'
import {gzipCases} from './gzip-cases.ts'
import type {OpenClient} from './suite-client.ts'
import {brief, type Case, content, told} from './told.ts'

const codes = Array.from({length: 16}, (_, at) => at + 1)

const cases: Readonly<Record<string, Case>> = {
  'unary calls, empty to large': async (client) => {
    const sizes = [0, 1, 16_379, 16_384, 65_530, 100_000, 1_000_000]
    return Promise.all(sizes.map(async (size) => brief(await client.unary('Unary', content(size)))))
  },
  'metadata of text and of bytes': async (client) => {
    const metadata = {
      'x-plain': 'a b,c',
      'x-many': ['1', '2', '3'],
      'x-long': 'v'.repeat(200),
      'x-raw-bin': Buffer.from(content(300)).toString('base64'),
    }
    return brief(await client.unary('Unary', content(10), {metadata}))
  },
  'a stream of the server': async (client) => {
    const {messages, ...rest} = await client.serverStream('Repeat', content(1000), {metadata: {'x-count': '2000'}})
    return {...brief({...rest, messages: []}), messages: countsOf(messages.map(told))}
  },
  'a stream of nothing': async (client) => brief(await client.serverStream('Repeat', content(1), {metadata: {'x-count': '0'}})),
  'a stream of the client': async (client) => {
    const {messages, ...rest} = await client.clientStream(
      'Length',
      Array.from({length: 300}, (_, at) => content(at * 10)),
    )
    return {...brief({...rest, messages: []}), said: messages.map((each) => Buffer.from(each).toString())}
  },
  'a conversation, one message at a time': async (client) => {
    const talk = client.bidi('Bidi')
    const heard: string[] = []
    for (let at = 0; at < 20; at++) {
      await talk.send(content(at * 100, at))
      heard.push(told(await talk.receive()))
    }
    talk.end()
    heard.push(told(await talk.receive()))
    return {heard, outcome: await talk.outcome}
  },
  'every code, with odd messages': async (client) =>
    Promise.all(
      codes.map(async (code) =>
        brief(await client.unary('Fail', content(1), {metadata: {'x-code': `${code}`, 'x-message': `100% of ${code}: "no"`}})),
      ),
    ),
  'details of a status': async (client) =>
    brief(await client.unary('Fail', content(1), {metadata: {'x-code': '5', 'x-message': 'gone', 'x-reason': 'GONE_FISHING'}})),
  'an error behind a message': async (client) =>
    brief(await client.serverStream('Break', content(100), {metadata: {'x-code': '9', 'x-message': 'later', 'x-reason': 'LATER'}})),
  'a method that is not there': async (client) => brief(await client.unary('Missing', content(1))),
  'messages of 20 MiB, both ways': async (client) => {
    const size = 20 * 1024 * 1024
    // One behind the other: on a machine that was busy, @grpc/grpc-js lost its connection to grpc-go over both at once, without any proxy.
    const made = await client.unary('Make', content(1), {metadata: {'x-size': `${size}`}})
    return [brief(made), brief(await client.unary('Unary', content(size)))]
  },
  '200 calls at once': async (client) => {
    const metadata = {'x-name': `gate-${gates++}`, 'x-count': '200'}
    const answers = await Promise.all(
      Array.from({length: 200}, (_, at) => client.unary('Gate', content(at % 2), {metadata, timeoutMs: 20_000})),
    )
    return {codes: countsOf(answers.map(({code}) => code)), messages: countsOf(answers.map(({messages}) => told(messages[0])))}
  },
  ...givingUpCases,
}

const countsOf = (values: readonly string[]) =>
  Object.fromEntries(Object.entries(Object.groupBy(values, (value) => value)).map(([value, all = []]) => [value, all.length]))

/** One server serves several runs of the suite. */
let gates = 0

/** All cases, one after the other on one connection, and what has to do with compression on another. */
export async function runSuite(open: OpenClient, path: string): Promise<Record<string, unknown>> {
  const outcomes: Record<string, unknown> = {}
  using client = open(path)
  for (const [name, run] of Object.entries(cases)) outcomes[name] = await run(client)
  using squeezing = open(path, {gzip: true})
  for (const [name, run] of Object.entries(gzipCases)) outcomes[name] = await run(squeezing)
  return outcomes
}
