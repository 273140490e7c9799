import {expect, test} from 'vitest'
import {gaugeText, histogram} from '../../../src/lab/kubelet-server/exposition.ts'
import {parseMetrics} from '../../../src/node/metrics.ts'
import {readMetrics} from '../../support/prometheus-reader.ts'

test('histogram() counts each observation in all buckets that it fits in', () => {
  const seconds = histogram('took_seconds', 'How long.', [0.1, 1])
  for (const took of [0.05, 0.1, 0.5, 2]) seconds.observe({of: 'a'}, took)
  seconds.observe({of: 'b'}, 1)
  const samples = parseMetrics(seconds.text()).map(({name, labels, value}) => [name, labels.of, labels.le, value])
  expect(samples).toEqual([
    ['took_seconds_bucket', 'a', '0.1', 2],
    ['took_seconds_bucket', 'a', '1', 3],
    ['took_seconds_bucket', 'a', '+Inf', 4],
    ['took_seconds_sum', 'a', undefined, 2.65],
    ['took_seconds_count', 'a', undefined, 4],
    ['took_seconds_bucket', 'b', '0.1', 0],
    ['took_seconds_bucket', 'b', '1', 1],
    ['took_seconds_bucket', 'b', '+Inf', 1],
    ['took_seconds_sum', 'b', undefined, 1],
    ['took_seconds_count', 'b', undefined, 1],
  ])
})

test('histogram() is one to a scraper', () => {
  const seconds = histogram('took_seconds', 'How long.', [1])
  seconds.observe({of: 'a'}, 0.5)
  expect(readMetrics(seconds.text())).toMatchObject([
    {name: 'took_seconds', type: 'HISTOGRAM', metrics: [{buckets: {1: '1', '+Inf': '1'}}]},
  ])
})

test('gaugeText() escapes what a label may not have as it is', () => {
  const text = gaugeText({name: 'is', help: 'It is.', samples: [{labels: {a: 'b"\\\nc'}, value: 1}, {value: 2}]})
  expect(parseMetrics(text)).toEqual([
    {name: 'is', labels: {a: 'b"\\\nc'}, value: 1},
    {name: 'is', labels: {}, value: 2},
  ])
})
