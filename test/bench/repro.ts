// npm run bench:repro: what simulated time costs: a scenario by its number of pods, simulated seconds a second of processor time, and random histories
// a second of processor time.
import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {parseArgs} from 'node:util'
import {profileOf} from '../../src/kubelet/profiles.ts'
import {startLabNode} from '../../src/lab/lab-node.ts'
import {judge} from '../../src/scenario/judge.ts'
import {play} from '../../src/scenario/play.ts'
import {parseScenario} from '../../src/scenario/read-scenario.ts'
import {historiesCost} from './histories.ts'
import {measure, median} from './measure.ts'

const {values} = parseArgs({options: {rounds: {type: 'string'}}})
const rounds = Number(values.rounds ?? 3)
const path = join(import.meta.dirname, '../../fixtures/scenarios/status-channel-backlog.yaml')
const text = await readFile(path, 'utf8')

/** With more idle pods, and so much later that the kubelet has told of all of them before it begins. */
function sized(pods: number): string {
  const later = text.replace(/\b(\d+(?:\.\d+)?)s\b/g, (whole, seconds) => (Number(seconds) < 90 ? whole : `${Number(seconds) + 300}s`))
  return later.replace('count: 580', `count: ${pods - 421}`)
}

const ratio = (value: number): string => `${value.toFixed(1)} (the aim is at most 12: ${value <= 12 ? 'met' : 'missed'})`

/** Milliseconds of the processor, of 1,000 and of 10,000 pods. */
async function commandCosts(version: string): Promise<readonly number[]> {
  const folder = await mkdtemp(join(tmpdir(), 'kubelimbo-bench-'))
  const costs = new Map<string, number[]>()
  for (const pods of [1000, 10_000]) {
    const file = join(folder, `${pods}.yaml`)
    await writeFile(file, sized(pods))
    costs.set(file, [])
  }
  const bin = join(import.meta.dirname, '../../bin/kubelimbo.js')
  for (let round = 0; round < rounds; round++) {
    for (const [file, all] of costs) all.push((await measure([process.execPath, bin, 'repro', file, '--profile', version])).cpu)
  }
  await rm(folder, {recursive: true})
  return [...costs.values()].map(median)
}

const say = (line: string) => process.stdout.write(`${line}\n`)
say(`status-channel-backlog, median of ${rounds} rounds, in turns; processor time of the run`)
say(`${'kubelet'.padEnd(9)}${'pods'.padStart(7)}${'cpu ms'.padStart(9)}${'simulated s per cpu s'.padStart(24)}  verdict`)
for (const version of ['1.17.3', '1.18.2', '1.36.2']) {
  const profile = profileOf(version)
  const costs = new Map<number, number[]>([1000, 10_000].map((pods) => [pods, []]))
  const verdicts = new Map<number, string>()
  let seconds = 0
  for (let round = 0; round < rounds; round++) {
    for (const [pods, all] of costs) {
      const scenario = parseScenario(sized(pods), path)
      seconds = scenario.until / 1000
      const before = process.cpuUsage()
      const record = await play(scenario, {profile, seed: 1, startNode: startLabNode})
      const {user, system} = process.cpuUsage(before)
      all.push((user + system) / 1000)
      verdicts.set(pods, judge(scenario, profile, record).verdict)
    }
  }
  for (const [pods, all] of costs) {
    const cpu = median(all)
    const rate = ((seconds * 1000) / cpu).toFixed(0)
    const numbers = [`${pods}`.padStart(7), cpu.toFixed(0).padStart(9), rate.padStart(24)].join('')
    say(`${version.padEnd(9)}${numbers}  ${verdicts.get(pods)}`)
  }
  const [small = Number.NaN, large = Number.NaN] = [...costs.values()].map(median)
  say(`${version}: 10,000 : 1,000 pods = ${ratio(large / small)}`)
  // As whoever types it has it: there the smaller one, too, begins with code that was not compiled yet.
  const [command1000 = Number.NaN, command10000 = Number.NaN] = await commandCosts(version)
  const ms = `${command10000.toFixed(0)} : ${command1000.toFixed(0)} ms`
  say(`${version}: kubelimbo repro as a command of its own, 10,000 : 1,000 pods = ${ms} = ${ratio(command10000 / command1000)}`)
}

// Those about volumes are some minutes long each, in which the volume manager looks around ten times a second.
const families = [
  {family: 'pods', count: 1000, least: 100},
  {family: 'volumes', count: 200, least: 25},
] as const
for (const {family, count, least} of families) {
  say(`\nrandom histories of repro explore about ${family}, best of ${rounds} rounds of ${count}`)
  say(`${'kubelet'.padEnd(9)}${'a cpu s'.padStart(9)}${'simulated s per cpu s'.padStart(24)}`)
  for (const version of ['1.17.3', '1.18.2', '1.36.2']) {
    const costs = []
    for (let round = 0; round < rounds; round++) costs.push(await historiesCost(version, family, count))
    const [best] = costs.toSorted((a, b) => b.perSecond - a.perSecond)
    const {perSecond = Number.NaN, simulated = Number.NaN} = best ?? {}
    const verdict = `(the aim is at least ${least}: ${perSecond >= least ? 'met' : 'missed'})`
    say(`${version.padEnd(9)}${perSecond.toFixed(0).padStart(9)}${simulated.toFixed(0).padStart(24)}  ${verdict}`)
  }
}
