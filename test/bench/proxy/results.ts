// The table of what was measured, and whether the aims are met.
import {median} from '../measure.ts'
import type {Contestant} from './contestants.ts'

export interface Samples {
  /** Milliseconds of calls that were made one after the other. */
  readonly latencies: number[]
  /** By how many streams there were: of each round. */
  readonly perSecond: ReadonlyMap<number, number[]>
  /** Seconds of processor time in a second with 1,000 calls, of each round. */
  readonly cpu: number[]
}

type All = ReadonlyMap<Contestant, Samples>

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

const latency = (all: All, name: string, part: number) => quantile([...all].find(([each]) => each.name === name)?.[1].latencies ?? [], part)
const added = (all: All, {name, direct}: Contestant, part: number) => latency(all, name, part) - latency(all, direct, part)

export function resultTable(all: All, widths: readonly number[]): readonly string[] {
  const columns = ['p50 ms', 'p99 ms', '+p50 ms', '+p99 ms', ...widths.map((width) => `calls/s (${width})`), 'cpu at 1000/s']
  const row = (name: string, cells: readonly string[]) => name.padEnd(28) + cells.map((cell) => cell.padStart(14)).join('')
  const rows = [...all].map(([contestant, {perSecond, cpu}]) => {
    const {name} = contestant
    const stands = name !== contestant.direct
    return row(name, [
      latency(all, name, 0.5).toFixed(3),
      latency(all, name, 0.99).toFixed(3),
      stands ? added(all, contestant, 0.5).toFixed(3) : '',
      stands ? added(all, contestant, 0.99).toFixed(3) : '',
      ...widths.map((width) => median(perSecond.get(width) ?? []).toFixed(0)),
      cpu.length === 0 ? '' : `${(median(cpu) * 100).toFixed(1)} %`,
    ])
  })
  return [row('', columns), ...rows]
}

/** Of the proxy that looks at nothing. */
export function verdicts(all: All): readonly string[] {
  const find = (name: string) => [...all.keys()].find((each) => each.name === name)
  const [ours, pipe] = [find('kubelimbo, no rule'), find('byte pipe (node)')]
  if (ours === undefined || pipe === undefined) return []
  const more = added(all, ours, 0.5) / added(all, pipe, 0.5)
  const slower = ({name}: Contestant) => latency(all, name, 0.99) / latency(all, 'direct', 0.99)
  const met = (value: number, most: number) => `${value.toFixed(2)} (the aim is at most ${most}: ${value <= most ? 'met' : 'missed'})`
  return [
    `added p50, ours : byte pipe = ${met(more, 1.5)}`,
    `p99, ours : direct = ${met(slower(ours), 2)}; byte pipe : direct = ${slower(pipe).toFixed(2)}`,
  ]
}
