import {describe, expect, test} from 'vitest'
import {start} from '../../src/scenario/play.ts'
import {compareTimelines} from '../../src/timeline/compare.ts'
import {rowNote, timelineRows} from '../../src/timeline/compare-rows.ts'
import type {Event} from '../../src/timeline/event.ts'
import {bare, call, container, failed, log, seen, step} from '../support/run-record.ts'

const shown = (left: readonly Event[], right: readonly Event[]) => {
  const {rows, firstDifference} = compareTimelines(left, right)
  return {rows: rows.map((row) => `${row.left?.words ?? '-'} | ${row.right?.words ?? '-'}`), firstDifference}
}

describe('compareTimelines()', () => {
  test('compareTimelines() pairs what is the same, though its moment differs', () => {
    expect(shown([step(1, 'a'), step(2, 'b')], [step(1, 'a'), step(2.5, 'b')])).toEqual({
      rows: ['step: a | step: a', 'step: b | step: b'],
      firstDifference: undefined,
    })
  })

  test('compareTimelines() finds together again what was apart, and marks where it parted', () => {
    const left = [step(1, 'a'), step(2, 'l1'), step(4, 'l2'), step(5, 'b'), step(6, 'c')]
    const right = [step(1, 'a'), step(3, 'r1'), step(5, 'b'), step(6, 'c'), step(7, 'r2')]
    expect(shown(left, right)).toEqual({
      rows: ['step: a | step: a', 'step: l1 | -', '- | step: r1', 'step: l2 | -', 'step: b | step: b', 'step: c | step: c', '- | step: r2'],
      firstDifference: 1,
    })
  })

  test('compareTimelines() goes on when nothing is the same for long', () => {
    const many = (name: string) => Array.from({length: 500}, (_, index) => step(index, `${name}${index}`))
    const {rows, firstDifference} = compareTimelines(many('l'), many('r'))
    expect([rows.length, firstDifference]).toEqual([1000, 0])
    expect(rows.filter(({left}) => left !== undefined).map(({left}) => left?.words)).toEqual(many('l').map(({text}) => `step: ${text}`))
  })

  test('compareTimelines() sees another outcome of the same call', () => {
    expect(shown([call(1, 'StopContainer', {ends: 2})], [call(1, 'StopContainer', {ends: 2, outcome: 'UNKNOWN'})]).firstDifference).toBe(0)
  })
})

describe('timelineRows()', () => {
  test.each<[string, Event, readonly string[]]>([
    [
      'a call that ends soon',
      call(1, 'CreateContainer', {ends: 1.5, container: 'main', request: {attempt: 0, id: 'x'}}),
      ['cri: CreateContainer default/p main {attempt 0} -> OK'],
    ],
    [
      'a call that takes long',
      call(1, 'StopContainer', {ends: 9, fault: 'slow'}),
      ['cri: StopContainer default/p (fault: slow) …', 'cri: StopContainer default/p (fault: slow) -> OK'],
    ],
    ['a call that does not end', call(1, 'StopPodSandbox'), ['cri: StopPodSandbox default/p …']],
    ['an idle look, which is not worth a row', call(1, 'ListContainers', {ends: 1.1}), []],
    [
      'a look that failed',
      call(1, 'ListContainers', {ends: 1.1, outcome: 'UNAVAILABLE'}),
      ['cri: ListContainers default/p -> UNAVAILABLE'],
    ],
    ['an exit', container(1, 'exited', {exitCode: 1, reason: 'Error'}), ['runtime: exited default/p main 1 Error']],
    [
      'what the kubelet believes of a device',
      {kind: 'belief', at: 1000, volume: 'pv1', uniqueName: 'd^h1', state: 'DeviceMountUncertain'},
      ['believes: pv1 is DeviceMountUncertain'],
    ],
    [
      'what the kubelet believes of a mount',
      {kind: 'belief', at: 1000, volume: 'pv1', uniqueName: 'd^h1', state: 'VolumeMounted', pod: 'default/p'},
      ['believes: pv1 of default/p is VolumeMounted'],
    ],
    ['a line of the log', log(1, 'Syncing', {fields: {all: true}}), ['log: Syncing default/p all=true']],
    [
      'what a watcher sees',
      seen(1, {phase: 'Failed', terminating: true, containers: {a: failed, b: bare, c: {running: {}}}}),
      ['watch: MODIFIED default/p Failed, Terminating; a terminated 1 Error; b terminated 0 without times; c running'],
    ],
  ])('timelineRows() of %s', (_, event, rows) => {
    expect(timelineRows([event]).map(({words}) => words)).toEqual(rows)
  })

  test('timelineRows() has the end of a call where it ended', () => {
    const rows = timelineRows([call(1, 'StopContainer', {ends: 5}), step(3, 'a')])
    expect(rows.map(({words, took}) => [words, took])).toEqual([
      ['cri: StopContainer default/p …', undefined],
      ['step: a', undefined],
      ['cri: StopContainer default/p -> OK', 4000],
    ])
  })
})

test('timelineRows() tells once of a line of the log that comes again and again, as long as it does', () => {
  const uid = (digit: string) => `${digit.repeat(8)}-1111-4111-8111-111111111111`
  const orphan = (at: number, digit = '1') => log(at, 'similar errors', {fields: {err: `orphaned pod "${uid(digit)}"`}})
  const rows = timelineRows([orphan(1), step(2, 'a'), orphan(3, '2'), log(4, 'other'), orphan(5), step(6, 'b'), orphan(20), step(21, 'c')])
  const second = (at: number) => start + at * 1000
  expect(rows.map(({at, words, again}) => [at, words, again])).toEqual([
    [second(1), 'log: similar errors default/p err=orphaned pod "<uid>"', {times: 3, until: second(5)}],
    [second(2), 'step: a', undefined],
    [second(4), 'log: other default/p', undefined],
    [second(6), 'step: b', undefined],
    [second(20), 'log: similar errors default/p err=orphaned pod "<uid>"', undefined],
    [second(21), 'step: c', undefined],
  ])
})

test.each([
  [{at: 0, words: '', took: 30}, ' (0.03 s)'],
  [{at: 0, words: '', took: 0}, ''],
  [{at: 0, words: '', again: {times: 3, until: 5000}}, ' (3 times until 5.000)'],
])('rowNote() of %j is %j', (row, note) => {
  expect(rowNote(row)).toBe(note)
})
