// npm run bench:proxy: what a proxy adds to a unary call of gRPC, ours and others in turn, so that what else the machine does hits all alike.
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {createInterface} from 'node:readline'
import {parseArgs} from 'node:util'
import {execa} from 'execa'
import {startOracle} from '../support/oracle-server.ts'
import {allListen, type Contestant, startContestants} from './proxy/contestants.ts'
import {resultTable, type Samples, verdicts} from './proxy/results.ts'
import type {Measured, Work} from './proxy/work.ts'
import {seededRandom, shuffled} from './shuffle.ts'

const {values} = parseArgs({options: {quick: {type: 'boolean'}, rounds: {type: 'string'}, seed: {type: 'string'}, only: {type: 'string'}}})
const rounds = Number(values.rounds ?? (values.quick ? 1 : 8))
const ms = values.quick ? 100 : 500
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
const widths = [1, 8, 64]

const say = (line: string) => process.stdout.write(`${line}\n`)
const folder = await mkdtemp(join(tmpdir(), 'limbo-bench-'))
await using ending = new AsyncDisposableStack()
ending.defer(() => rm(folder, {recursive: true, force: true}))
const unix = ending.use(await startOracle('serve-grpc', join(folder, 's')))
const tcp = ending.use(await startOracle('serve-grpc', 'tcp:127.0.0.1:0'))
const contestants = await startContestants({unix: unix.address, tcp: tcp.address, folder})
for (const {process: child} of contestants) if (child) ending.use(child)
await allListen(contestants)

const client = execa(process.execPath, [join(import.meta.dirname, 'proxy/client-main.ts')], {
  buffer: false,
  reject: false,
  stderr: 'inherit',
})
ending.defer(async () => {
  client.stdin.end()
  await client
})
const answers = createInterface(client.stdout)[Symbol.asyncIterator]()
async function measure(work: Work): Promise<Measured> {
  client.stdin.write(`${JSON.stringify(work)}\n`)
  const {value} = await answers.next()
  if (value === undefined) throw new Error('Cannot measure as the client must answer: it ended')
  return JSON.parse(value)
}

const chosen = contestants.filter(({name}) => new RegExp(values.only ?? '').test(name))
const samples = new Map(
  chosen.map((each): [Contestant, Samples] => [each, {latencies: [], perSecond: new Map(widths.map((width) => [width, []])), cpu: []}]),
)
say(`${rounds} rounds after one to warm up, order by --seed ${seed}; calls of 100 bytes each way to grpc-go`)
const random = seededRandom(seed)
for (let round = -1; round < rounds; round++) {
  for (const [contestant, sample] of shuffled([...samples], random)) {
    const {address, process: child} = contestant
    for (const streams of widths) {
      const measured = await measure({address, ms, streams})
      if (round < 0) continue
      if (streams === 1) sample.latencies.push(...measured.latencies)
      sample.perSecond.get(streams)?.push(measured.perSecond)
    }
    const before = child?.cpuSeconds() ?? 0
    await measure({address, ms: ms * 2, perSecond: 1000})
    if (round >= 0 && child) sample.cpu.push(((child.cpuSeconds() - before) * 1000) / (ms * 2))
  }
}
for (const line of [...resultTable(samples, widths), ...verdicts(samples)]) say(line)
