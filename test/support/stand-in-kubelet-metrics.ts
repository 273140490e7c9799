// The families of a kubelet's /metrics that tell of volumes, counted from what the stand-in did.

const buckets = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 25, 50, 120, 300, 600]

export interface KubeletMetrics {
  readonly observe: (family: HistogramName, labels: Labels, seconds: number) => void
  readonly text: (gauges: readonly Gauge[]) => string
}

type Labels = Readonly<Record<string, string>>
type HistogramName = keyof typeof histograms

export interface Gauge {
  readonly name: string
  readonly help: string
  readonly labels?: Labels
  readonly value: number
}

const histograms = {
  csi_operations_seconds: 'Container Storage Interface operation duration with gRPC error code status total',
  storage_operation_duration_seconds: 'Storage operation duration',
} as const

export function kubeletMetrics(): KubeletMetrics {
  const seen = new Map<string, {readonly family: HistogramName; readonly labels: Labels; readonly seconds: number[]}>()
  return {
    observe: (family, labels, seconds) => {
      const key = family + written(labels)
      const series = seen.get(key) ?? {family, labels, seconds: []}
      seen.set(key, series)
      series.seconds.push(seconds)
    },
    text: (gauges) => {
      const families = Object.entries(histograms).map(([family, help]) => {
        const series = [...seen.values()].filter((each) => each.family === family)
        return [...head(family, help, 'histogram'), ...series.flatMap(({labels, seconds}) => samples(family, labels, seconds))]
      })
      const others = gauges.map(({name, help, labels = {}, value}) => [...head(name, help, 'gauge'), `${name}${written(labels)} ${value}`])
      return `${[...families, ...others].flat().join('\n')}\n`
    },
  }
}

function head(name: string, help: string, type: string): string[] {
  return [`# HELP ${name} [ALPHA] ${help}`, `# TYPE ${name} ${type}`]
}

function samples(family: string, labels: Labels, seconds: readonly number[]): string[] {
  const upTo = (bound: number) => seconds.filter((each) => each <= bound).length
  return [
    ...buckets.map((bound) => `${family}_bucket${written({...labels, le: `${bound}`})} ${upTo(bound)}`),
    `${family}_bucket${written({...labels, le: '+Inf'})} ${seconds.length}`,
    `${family}_sum${written(labels)} ${seconds.reduce((sum, each) => sum + each, 0)}`,
    `${family}_count${written(labels)} ${seconds.length}`,
  ]
}

function written(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}
