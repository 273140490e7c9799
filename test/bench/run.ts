// npm run bench: kubelimbo against crictl on one runtime, interleaved, so that what else the machine does hits all alike.
import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {parseArgs} from 'node:util'
import {builtPeers} from '../support/built-peers.ts'
import {type Cost, measure, median} from './measure.ts'
import {startRuntime} from './runtime.ts'
import {seededRandom, shuffled} from './shuffle.ts'

const {values} = parseArgs({
  options: {quick: {type: 'boolean'}, rounds: {type: 'string'}, seed: {type: 'string'}, sandboxes: {type: 'string'}},
})
const rounds = Number(values.rounds ?? (values.quick ? 3 : 25))
const warmUps = values.quick ? 1 : 3
const sandboxes = Number(values.sandboxes ?? (values.quick ? 3 : 20))
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))

const [crictl = ''] = await builtPeers('crictl')
await using runtime = await startRuntime(sandboxes)
const top = join(import.meta.dirname, '../..')
const single = join(top, 'build/kubelimbo')
const endpoint = ['-r', runtime.endpoint]
const variants: Readonly<Record<string, readonly string[]>> = {
  'node -e 0': [process.execPath, '-e', '0'],
  'crictl pods': [crictl, '--config', '/dev/null', ...endpoint, 'pods'],
  'kubelimbo pods': [process.execPath, join(top, 'bin/kubelimbo.js'), 'pods', ...endpoint],
  ...(existsSync(single) ? {'kubelimbo (binary) pods': [single, 'pods', ...endpoint]} : {}),
}

const say = (line: string) => process.stdout.write(`${line}\n`)
say(`${runtime.name} with ${sandboxes} sandboxes; ${rounds} rounds after ${warmUps}, order by --seed ${seed}`)
const random = seededRandom(seed)
const costs = new Map(Object.keys(variants).map((name): [string, Cost[]] => [name, []]))
for (let round = -warmUps; round < rounds; round++) {
  for (const [name, command] of shuffled(Object.entries(variants), random)) {
    const cost = await measure(command)
    if (round >= 0) costs.get(name)?.push(cost)
  }
}

const medians = new Map(
  [...costs].map(([name, all]): [string, Cost] => [name, {wall: median(all.map(({wall}) => wall)), cpu: median(all.map(({cpu}) => cpu))}]),
)
const peer = medians.get('crictl pods') ?? {wall: Number.NaN, cpu: Number.NaN}
say(`${'median'.padEnd(24)}${'wall ms'.padStart(10)}${'cpu ms'.padStart(10)}${'wall : crictl'.padStart(16)}${'cpu : crictl'.padStart(16)}`)
for (const [name, {wall, cpu}] of medians) {
  const numbers = [
    wall.toFixed(0).padStart(10),
    cpu.toFixed(0).padStart(10),
    (wall / peer.wall).toFixed(1).padStart(16),
    (cpu / peer.cpu).toFixed(1).padStart(16),
  ]
  say(name.padEnd(24) + numbers.join(''))
}
for (const name of ['kubelimbo pods', 'kubelimbo (binary) pods']) {
  const ratio = (medians.get(name)?.wall ?? Number.NaN) / peer.wall
  say(
    Number.isNaN(ratio)
      ? `${name} was not measured: npm run build:binary makes it`
      : `${name} : crictl pods = ${ratio.toFixed(1)} (the aim is at most 5.0: ${ratio <= 5 ? 'met' : 'missed'})`,
  )
}
