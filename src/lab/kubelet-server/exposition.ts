// Metrics in the Prometheus text format. Upstream: component-base/metrics

export type Labels = Readonly<Record<string, string>>

export interface Gauge {
  readonly name: string
  readonly help: string
  readonly samples: readonly {readonly labels?: Labels; readonly value: number}[]
}

export interface Histogram {
  observe(labels: Labels, seconds: number): void
  text(): string
}

export function gaugeText({name, help, samples}: Gauge): string {
  return lines([...head(name, help, 'gauge'), ...samples.map(({labels = {}, value}) => `${name}${written(labels)} ${value}`)])
}

/** @param buckets their upper bounds, ascending */
export function histogram(name: string, help: string, buckets: readonly number[]): Histogram {
  const series = new Map<string, {readonly labels: Labels; readonly counts: number[]; count: number; sum: number}>()
  return {
    observe: (labels, seconds) => {
      const key = written(labels)
      const one = series.get(key) ?? {labels, counts: buckets.map(() => 0), count: 0, sum: 0}
      series.set(key, one)
      for (const [index, bound] of buckets.entries()) if (seconds <= bound) one.counts[index] = (one.counts[index] ?? 0) + 1
      one.count++
      one.sum += seconds
    },
    text: () =>
      lines([
        ...head(name, help, 'histogram'),
        ...[...series.values()].flatMap(({labels, counts, count, sum}) => [
          ...buckets.map((bound, index) => `${name}_bucket${written({...labels, le: `${bound}`})} ${counts[index]}`),
          `${name}_bucket${written({...labels, le: '+Inf'})} ${count}`,
          `${name}_sum${written(labels)} ${sum}`,
          `${name}_count${written(labels)} ${count}`,
        ]),
      ]),
  }
}

const lines = (texts: readonly string[]): string => `${texts.join('\n')}\n`

const head = (name: string, help: string, type: string): readonly string[] => [`# HELP ${name} [ALPHA] ${help}`, `# TYPE ${name} ${type}`]

function written(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value.replace(/[\\"\n]/g, (each) => escapes[each] ?? each)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

const escapes: Readonly<Record<string, string>> = {'\\': '\\\\', '"': '\\"', '\n': '\\n'}
