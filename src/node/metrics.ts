// Samples of the Prometheus text format.

export interface MetricSample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/**
 * The samples in the order of the text, without timestamps. Lines that are no sample are left out.
 * @throws Error when there is text and not one sample in it: an error page, say.
 */
export function parseMetrics(text: string): MetricSample[] {
  const samples: MetricSample[] = []
  let strange: string | undefined
  for (const line of text.split('\n')) {
    const trimmed = line.trim()
    if (trimmed === '' || trimmed.startsWith('#')) continue
    const sample = parseSample(trimmed)
    if (sample === undefined) strange ??= trimmed
    else samples.push(sample)
  }
  if (samples.length === 0 && strange !== undefined) {
    throw new Error(`Cannot read metrics as they must be in the Prometheus text format: it starts with '${strange.slice(0, 40)}'`)
  }
  return samples
}

const metricName = /[a-zA-Z_:][a-zA-Z0-9_:]*/y
const label = /\s*([a-zA-Z_][a-zA-Z0-9_]*)\s*=\s*"([^"\\]*(?:\\.[^"\\]*)*)"\s*(,)?/y
// The value, then perhaps a timestamp, then perhaps an exemplar of OpenMetrics.
const rest = /\s+(\S+)(?:\s+-?\d+(?:\.\d+)?)?(?:\s+#.*)?$/y

function parseSample(line: string): MetricSample | undefined {
  const name = match(metricName, line, 0)?.[0]
  if (name === undefined) return undefined
  let at = name.length
  const labels: [string, string][] = []
  const brace = match(/\s*\{/y, line, at)
  if (brace !== undefined) {
    at += brace[0].length
    for (let found = match(label, line, at); found !== undefined; found = match(label, line, at)) {
      labels.push([found[1] ?? '', unescapeLabel(found[2] ?? '')])
      at += found[0].length
      if (found[3] === undefined) break
    }
    const end = match(/\s*\}/y, line, at)
    if (end === undefined) return undefined
    at += end[0].length
  }
  // A brace may stand right before the value, a name may not.
  const value = readValue(match(rest, brace === undefined ? line : `${line.slice(0, at)} ${line.slice(at)}`, at)?.[1])
  return value === undefined ? undefined : {name, labels: Object.fromEntries(labels), value}
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at
  return pattern.exec(text) ?? undefined
}

function unescapeLabel(value: string): string {
  return value.includes('\\')
    ? value.replace(/\\(.)/g, (all, char) => (char === 'n' ? '\n' : char === '"' || char === '\\' ? char : all))
    : value
}

function readValue(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^nan$/i.test(text)) return Number.NaN
  const infinite = /^([+-]?)inf(inity)?$/i.exec(text)
  if (infinite !== null) return infinite[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined
}
