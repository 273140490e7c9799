import {describe, expect, test} from 'vitest'
import {detectors} from '../../src/findings/detectors.ts'
import {severities} from '../../src/findings/finding.ts'
import {prometheusText} from '../../src/render/prometheus.ts'
import {readMetrics, writtenAgain} from '../support/prometheus-reader.ts'
import {findingOf, hostile, type SampleParts, sampleOf} from '../support/sample-report.ts'

const info = findingOf('info')
const error = findingOf('error', {code: 'C02', name: 'driver-socket-dead'})
const baseline = {node: 'n1', when: '2026-11-29T03:00:00Z'}

const cases: readonly (readonly [what: string, parts: SampleParts])[] = [
  ['nothing', {}],
  ['a finding of each severity', {findings: severities.map((severity) => findingOf(severity))}],
  ['what was not seen', {looked: ['V07'], unseen: {'api.node': 'no kubeconfig'}}],
  ['blindness', {looked: [], failed: {'disk.entries': 'no answer'}}],
  ['what is known', {findings: [{...error, known: true}, info], baseline}],
  ['a hostile node', {findings: [findingOf('error', {message: hostile})], failed: {'kubelet.pods': hostile}, node: hostile}],
]

const lines = (text: string) => text.split('\n').filter((line) => line !== '')

/** The value of a metric that has one sample, or of the one with these labels. */
function numberOf(text: string, name: string, wanted: Readonly<Record<string, string>> = {}): number | undefined {
  const samples = readMetrics(text).find((family) => family.name === name)?.metrics ?? []
  const found = samples.find(({labels = {}}) => Object.entries(wanted).every(([label, value]) => labels[label] === value))
  return found === undefined ? undefined : Number(found.value)
}

describe('prometheusText()', () => {
  test.each(cases)("prometheusText() of %s is what prom-client's registry writes of it", async (_what, parts) => {
    const text = prometheusText(...sampleOf(parts))
    expect(lines(text).toSorted()).toEqual(lines(await writtenAgain(readMetrics(text))).toSorted())
    expect(text).toMatch(/[^\n]\n$/)
  })

  test.each(cases)('prometheusText() of %s has no moment at a sample, as the textfile collector wants it', (_what, parts) => {
    const samples = readMetrics(prometheusText(...sampleOf(parts))).flatMap(({metrics}) => metrics)
    expect(samples.length).toBeGreaterThan(4)
    expect(samples.filter((sample) => sample.timestamp_ms !== undefined)).toEqual([])
  })

  test('prometheusText() has a sample for each code that was looked for and each severity, and none for another', () => {
    const text = prometheusText(...sampleOf({findings: [error, error, info], looked: ['C02', 'V06']}))
    const samples = readMetrics(text).find(({name}) => name === 'kubelimbo_findings')?.metrics ?? []
    const said = samples.map(({labels = {}, value}) => `${labels.code} ${labels.name} ${labels.severity} ${value}`)
    expect(said.toSorted()).toEqual([
      'C02 driver-socket-dead critical 0',
      'C02 driver-socket-dead error 2',
      'C02 driver-socket-dead info 0',
      'C02 driver-socket-dead warning 0',
      'V06 volume-dir-not-mounted critical 0',
      'V06 volume-dir-not-mounted error 0',
      'V06 volume-dir-not-mounted info 1',
      'V06 volume-dir-not-mounted warning 0',
    ])
  })

  test('prometheusText() counts what the baseline knows apart', () => {
    const text = prometheusText(...sampleOf({findings: [{...error, known: true}, error, info], baseline}))
    expect(numberOf(text, 'kubelimbo_findings', {code: 'C02', severity: 'error'})).toBe(1)
    expect(numberOf(text, 'kubelimbo_findings_known', {code: 'C02', severity: 'error'})).toBe(1)
    expect(numberOf(text, 'kubelimbo_findings_known', {code: 'V06', severity: 'info'})).toBe(0)
    expect(prometheusText(...sampleOf({}))).not.toContain('known')
  })

  test.each([
    ['nothing', {}, 0, 0, 0],
    ['findings', {findings: [error]}, 1, 0, 0],
    ['what was not seen', {unseen: {'api.node': 'x', takeovers: 'y'}}, 0, 1, 2],
    ['blindness', {looked: [], failed: {'disk.entries': 'x'}}, 3, 1, 1],
  ] as const)('prometheusText() of %s tells how the check ended', (_what, parts, exit, partial, unseen) => {
    const text = prometheusText(...sampleOf(parts))
    expect(numberOf(text, 'kubelimbo_check_exit_code')).toBe(exit)
    expect(numberOf(text, 'kubelimbo_check_partial')).toBe(partial)
    expect(numberOf(text, 'kubelimbo_sources_unseen')).toBe(unseen)
    expect(numberOf(text, 'kubelimbo_check_timestamp_seconds')).toBe(Date.parse('2026-11-30T03:00:00Z') / 1000)
    expect(numberOf(text, 'kubelimbo_build_info', {version: '0.1.0'})).toBe(1)
  })

  test('prometheusText() has no label that is another one with each pod', () => {
    const labels = readMetrics(prometheusText(...sampleOf({findings: [error]}))).flatMap(({metrics}) =>
      metrics.map((each) => each.labels ?? {}),
    )
    expect(new Set(labels.flatMap(Object.keys))).toEqual(new Set(['version', 'code', 'name', 'severity']))
    expect(new Set(labels.flatMap(({code}) => code ?? []))).toEqual(new Set(detectors.map(({code}) => code)))
  })

  test('prometheusText() escapes what a label cannot hold', () => {
    const [report, verdict] = sampleOf({})
    const strange = {...report, metadata: {...report.metadata, tool: 'kubelimbo 1"\\n\n'}}
    const text = prometheusText(strange, verdict)
    expect(text).toContain('kubelimbo_build_info{version="1\\"\\\\n\\n"} 1\n')
    expect(numberOf(text, 'kubelimbo_build_info', {version: '1"\\n\n'})).toBe(1)
  })
})
