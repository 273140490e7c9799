// Reads Prometheus' text format as a scraper does, and has prom-client's registry, which checks names and labels, write it once more.
import parse from 'parse-prometheus-text-format'
import {Gauge, Registry} from 'prom-client'

export type Family = ReturnType<typeof parse>[number]

export function readMetrics(text: string): readonly Family[] {
  return parse(text)
}

export async function writtenAgain(families: readonly Family[]): Promise<string> {
  const registry = new Registry()
  for (const {name, help, type, metrics} of families) {
    if (type !== 'GAUGE') throw new Error(`${name} is a ${type}`)
    const labelNames = Object.keys(metrics[0]?.labels ?? {})
    const gauge = new Gauge({name, help, labelNames, registers: [registry]})
    for (const {value, labels = {}} of metrics) gauge.set(labels, Number(value))
  }
  return registry.metrics()
}
