import {expect, test} from 'vitest'
import {kubeletUptime} from '../../../src/kubelet/traces/kubelet-uptime.ts'
import {read} from '../../../src/node/reading.ts'
import {countedTo} from '../../../src/node/take-snapshot.ts'
import {type SmallNode, smallNode} from '../../support/small-node.ts'
import {at, logLine} from '../../support/snapshot-builder.ts'

const startLine = (seconds: number) => logLine(seconds, 'Starting Kubelet Volume Manager')
const process = (seconds: number) => ({pid: 812, program: 'kubelet', startedAt: at(seconds), certain: true})

test.each<[string, Partial<SmallNode>, number | undefined]>([
  ['its process', {process: process(-300)}, 300],
  ['its process, whatever an old log says', {process: process(-300), log: [logLine(-9000, 'a'), logLine(-1, 'b')]}, 300],
  ['the start in a log that goes on', {log: [logLine(-900, 'a'), startLine(-300), logLine(-10, 'b')]}, 290],
  ['a log without a start', {log: [logLine(-900, 'a'), logLine(-10, 'b')]}, 890],
  ['a log that ended', {log: [startLine(-900), logLine(-61, 'b')]}, undefined],
  ['a log of tomorrow', {log: [startLine(-900), logLine(86_400, 'b')]}, undefined],
  ['an empty log', {log: []}, undefined],
  ['nothing', {}, undefined],
])('kubeletUptime() by %s', (_what, change, seconds) => {
  const uptime = kubeletUptime(smallNode((node) => Object.assign(node, change)))
  expect(uptime?.ms).toBe(seconds === undefined ? undefined : seconds * 1000)
  expect(uptime?.source).toBe(seconds === undefined || change.process !== undefined ? undefined : 'kubelet.log')
})

test('kubeletUptime() counts to the moment of the readings, not to --now', () => {
  const snapshot = smallNode((node) => Object.assign(node, {process: process(-5)}))
  expect(kubeletUptime(countedTo(snapshot, at(3600)))?.ms).toBe(5000)
})

test('kubeletUptime() takes the word of its metrics, where its process is not to be seen', () => {
  const snapshot = smallNode()
  const sample = {name: 'process_start_time_seconds', labels: {}, value: at(-600) / 1000}
  const readings = {...snapshot.readings, 'kubelet.metrics': read([sample])}
  expect(kubeletUptime({...snapshot, readings})).toEqual({ms: 600_000, source: 'kubelet.metrics'})
})

test('kubeletUptime() leaves out what the log says from before the node started', () => {
  const snapshot = smallNode((node) => Object.assign(node, {log: [startLine(-900), startLine(-30), logLine(-1, 'b')]}))
  const readings = {...snapshot.readings, 'kernel.boot': read({id: 'b', at: at(-20)})}
  expect(kubeletUptime({...snapshot, readings})?.ms).toBe(0)
})

test('kubeletUptime() concludes nothing from a log that broke off: the start may be what is missing', () => {
  const snapshot = smallNode()
  const readings = {...snapshot.readings, 'kubelet.log': read([logLine(-900, 'a'), logLine(-1, 'b')], 'the oldest lines are missing')}
  expect(kubeletUptime({...snapshot, readings})).toBeUndefined()
})
