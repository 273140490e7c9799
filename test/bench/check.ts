// npm run bench:check: what a whole `kubelimbo check` of a generated node costs in processor time, by size.
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {parseArgs} from 'node:util'
import {generatedNode, writeGenerated} from '../support/generated-node.ts'
import {measure, median} from './measure.ts'

const {values} = parseArgs({options: {rounds: {type: 'string'}, seed: {type: 'string'}}})
const rounds = Number(values.rounds ?? 5)
const seed = Number(values.seed ?? 1)
const binary = join(import.meta.dirname, '../../bin/kubelimbo.js')
const sizes = [
  {pods: 1, volumes: 1, moreMounts: 0},
  {pods: 500, volumes: 1000, moreMounts: 0},
  {pods: 5000, volumes: 10_000, moreMounts: 0},
  {pods: 500, volumes: 1000, moreMounts: 75_000},
]

const say = (line: string) => process.stdout.write(`${line}\n`)
say(`median of ${rounds} rounds, seed ${seed}; processor time of the whole process`)
say(`${'pods'.padStart(6)}${'volumes'.padStart(9)}${'more mounts'.padStart(13)}${'cpu ms'.padStart(9)}${'wall ms'.padStart(9)}`)
const cpu: number[] = []
for (const size of sizes) {
  const folder = await mkdtemp(join(tmpdir(), 'limbo-'))
  try {
    await writeGenerated(generatedNode({seed, ...size}), folder)
    const costs = []
    // Exit code 1 says that there are findings, as there must be: the shell makes a success of that one only.
    const script = '"$@"; test $? -le 1'
    for (let round = 0; round < rounds; round++) {
      costs.push(await measure(['bash', '--norc', '-c', script, 'bash', process.execPath, binary, 'check', '--from', folder, '-o', 'json']))
    }
    const [cpuMs, wallMs] = [median(costs.map((cost) => cost.cpu)), median(costs.map(({wall}) => wall))]
    cpu.push(cpuMs)
    const numbers = [`${size.pods}`.padStart(6), `${size.volumes}`.padStart(9), `${size.moreMounts}`.padStart(13)]
    say(numbers.join('') + cpuMs.toFixed(0).padStart(9) + wallMs.toFixed(0).padStart(9))
  } finally {
    await rm(folder, {recursive: true})
  }
}
const [, small = Number.NaN, large = Number.NaN] = cpu
say(`500 pods: ${(small / 1000).toFixed(2)} s (the aim is below 1 s: ${small < 1000 ? 'met' : 'missed'})`)
say(`5,000 : 500 pods = ${(large / small).toFixed(1)} (the aim is at most 12: ${large / small <= 12 ? 'met' : 'missed'})`)
