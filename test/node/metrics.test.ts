import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {parseMetrics} from '../../src/node/metrics.ts'

const samples: readonly [string, object][] = [
  ['up 1', {name: 'up', labels: {}, value: 1}],
  ['kubelet_pleg_last_seen_seconds 1.796007474e+09', {name: 'kubelet_pleg_last_seen_seconds', labels: {}, value: 1796007474}],
  ['a{} 1', {name: 'a', labels: {}, value: 1}],
  ['a{b="c"} 1', {name: 'a', labels: {b: 'c'}, value: 1}],
  ['a{b="c",d="e",} 1', {name: 'a', labels: {b: 'c', d: 'e'}, value: 1}],
  ['a { b = "c" , d = "e" } 1', {name: 'a', labels: {b: 'c', d: 'e'}, value: 1}],
  ['a{b="x\\\\y\\"z\\nw"} 1', {name: 'a', labels: {b: 'x\\y"z\nw'}, value: 1}],
  ['a{b="\\q"} 1', {name: 'a', labels: {b: '\\q'}, value: 1}],
  ['a{b="} , c=\\"d\\" 7",e="#"} 1', {name: 'a', labels: {b: '} , c="d" 7', e: '#'}, value: 1}],
  ['a{le="+Inf"} 3', {name: 'a', labels: {le: '+Inf'}, value: 3}],
  ['a{b="c"}1', {name: 'a', labels: {b: 'c'}, value: 1}],
  ['a +Inf', {name: 'a', labels: {}, value: Number.POSITIVE_INFINITY}],
  ['a -Inf', {name: 'a', labels: {}, value: Number.NEGATIVE_INFINITY}],
  ['a NaN', {name: 'a', labels: {}, value: Number.NaN}],
  ['a -0.5e-3', {name: 'a', labels: {}, value: -0.0005}],
  ['a 1 1796007474000', {name: 'a', labels: {}, value: 1}],
  ['a{b="c"} 1 -5', {name: 'a', labels: {b: 'c'}, value: 1}],
  ['a_bucket{le="1"} 2 # {trace_id="x"} 0.5 1', {name: 'a_bucket', labels: {le: '1'}, value: 2}],
  ['  a\t1  ', {name: 'a', labels: {}, value: 1}],
  ['a{b="c"} 1\r', {name: 'a', labels: {b: 'c'}, value: 1}],
  ['node:cpu:rate5m 1', {name: 'node:cpu:rate5m', labels: {}, value: 1}],
]

const skipped = [
  'a',
  'a{b="c"}',
  'a{b="c} 1',
  'a{b=c} 1',
  'a{b="c" d="e"} 1',
  'a one',
  'a 0x10',
  'a 1 2 3',
  '1 a',
  'a{',
  'ab 1,5',
  'a1}',
  '{"a":1}',
]

describe('parseMetrics()', () => {
  test.each(samples)('parseMetrics() reads %j', (line, expected) => {
    expect(parseMetrics(`# HELP a help\n# TYPE a counter\n\n${line}\n`)).toEqual([expected])
  })

  test.each(skipped)('parseMetrics() leaves out %j', (line) => {
    expect(parseMetrics(`${line}\nup 1\n`)).toEqual([{name: 'up', labels: {}, value: 1}])
  })

  test('parseMetrics() keeps a label named __proto__ a label', () => {
    expect(Object.keys(parseMetrics('a{__proto__="x"} 1')[0]?.labels ?? {})).toEqual(['__proto__'])
  })

  test('parseMetrics() of nothing but comments is no samples', () => {
    expect(parseMetrics('# HELP a b\n')).toEqual([])
  })

  test.each(['<!DOCTYPE html>\n<html>', 'Unauthorized', '{"kind":"Status","code":403}'])(
    'parseMetrics() throws one sentence on %j',
    (text) => {
      expect(() => parseMetrics(text)).toThrow(/^Cannot read metrics as they must be in the Prometheus text format: it starts with '/)
    },
  )

  test('parseMetrics() throws nothing but its Error', () => {
    fc.assert(
      fc.property(fc.string({unit: fc.constantFrom(...'a1{}="\\, \n#+e.')}), (text) => {
        try {
          parseMetrics(text)
        } catch (error) {
          expect(String(error)).toMatch(/^Error: Cannot read metrics/)
        }
      }),
    )
  })

  test('parseMetrics() reads every label value that was escaped', () => {
    const escaped = (value: string) => value.replace(/[\\"\n]/g, (char) => (char === '\n' ? '\\n' : `\\${char}`))
    fc.assert(
      fc.property(fc.string({unit: fc.constantFrom(...'\\"\n{},=n a')}), fc.double(), (value, number) => {
        const said = Number.isFinite(number) ? String(number) : Number.isNaN(number) ? 'NaN' : number > 0 ? '+Inf' : '-Inf'
        expect(parseMetrics(`m{l="${escaped(value)}"} ${said}\n`)).toEqual([{name: 'm', labels: {l: value}, value: number + 0}])
      }),
    )
  })
})
