import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {parseEvents} from '../../src/node/pod-event.ts'

const list = (...items: unknown[]) => ({kind: 'EventList', apiVersion: 'v1', items})
const pod = {kind: 'Pod', namespace: 'ns', name: 'a', uid: 'u1'}
const bare = {namespace: 'ns', name: 'a', uid: 'u1', reason: '', message: '', type: '', count: 1}

const cases: readonly [string, object, object][] = [
  ['nothing but its pod', {involvedObject: pod}, bare],
  [
    'what core/v1 has',
    {
      involvedObject: pod,
      reason: 'FailedMount',
      message: 'm',
      type: 'Warning',
      count: 3,
      firstTimestamp: '2026-11-30T02:55:05Z',
      lastTimestamp: '2026-11-30T02:55:06Z',
      eventTime: null,
    },
    {...bare, reason: 'FailedMount', message: 'm', type: 'Warning', count: 3, lastAt: 1796007306000},
  ],
  [
    'what events.k8s.io/v1 has',
    {
      regarding: pod,
      reason: 'r',
      note: 'n',
      type: 'Normal',
      eventTime: '2026-11-30T02:55:05.250000Z',
      series: {count: 4, lastObservedTime: '2026-11-30T02:55:06.500000Z'},
    },
    {...bare, reason: 'r', message: 'n', type: 'Normal', count: 4, lastAt: 1796007306500},
  ],
  ['only the time of its first', {involvedObject: pod, eventTime: '2026-11-30T02:55:05.250000Z'}, {...bare, lastAt: 1796007305250}],
  ['types that are wrong', {involvedObject: pod, reason: 7, count: 'x', lastTimestamp: 5, series: []}, bare],
  ['no uid', {involvedObject: {...pod, uid: undefined}}, {...bare, uid: ''}],
]

describe('parseEvents()', () => {
  test.each(cases)('parseEvents() reads an event with %s', (_, item, expected) => {
    expect(parseEvents(list(item))).toEqual([expected])
  })

  test('parseEvents() leaves out what is about no pod', () => {
    expect(parseEvents(list(null, 'x', {}, {involvedObject: {kind: 'Node', name: 'n1'}}, {involvedObject: null}))).toEqual([])
  })

  test('parseEvents() throws one sentence when the document is no list of events', () => {
    expect(() => parseEvents({kind: 'PodList', items: []})).toThrow("Cannot read it as it must be a v1 EventList: its kind is 'PodList'")
  })

  test('parseEvents() never throws on a list, whatever is in it', () => {
    fc.assert(
      fc.property(fc.array(fc.object()), (items) => void parseEvents(list(...items.map((item) => ({involvedObject: pod, ...item}))))),
    )
  })
})
