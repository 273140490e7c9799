import {describe, expect, test} from 'vitest'
import {absent, failed, type Reading, read} from '../../src/node/reading.ts'
import {type Snapshot, type SourceName, sourceNames} from '../../src/node/snapshot.ts'
import {reportOf} from '../support/examined/expect.ts'
import {healthy} from '../support/examined/healthy.ts'
import {pictures as ofPods} from '../support/examined/pictures.ts'
import {runtimePictures} from '../support/examined/runtime-pictures.ts'

const rank = ['info', 'warning', 'error', 'critical']
const pictures = {...ofPods, ...runtimePictures}
const names = ['healthy', ...Object.keys(pictures)]

/** The worst severity of each code. */
function found(snapshot: Snapshot): Map<string, number> {
  const ranks = new Map<string, number>()
  for (const {code, severity} of reportOf(snapshot).findings) ranks.set(code, Math.max(rank.indexOf(severity), ranks.get(code) ?? 0))
  return ranks
}

function changed(snapshot: Snapshot, change: Partial<Record<SourceName, Reading<unknown>>>): Snapshot {
  return {...snapshot, readings: {...snapshot.readings, ...change} as Snapshot['readings']}
}

/** The half of a list, known to be no more than that. */
function half(reading: Reading<unknown>, which: 0 | 1): Reading<unknown> {
  if (reading.state !== 'read' || !Array.isArray(reading.value)) return reading
  return read(
    reading.value.filter((_, index) => index % 2 === which),
    'it broke off',
  )
}

describe.each(names)('on the node of %s', (name) => {
  const snapshot = healthy(pictures[name]).snapshot()
  const before = found(snapshot)
  const expectNothingWorse = (what: unknown, after: Snapshot, least: number) => {
    const worse = [...found(after)].filter(([code, severity]) => severity >= least && severity > (before.get(code) ?? -1))
    expect([what, worse]).toEqual([what, []])
  }

  test.each(sourceNames)('nothing is found anew and nothing is worse without %s', (source) => {
    expectNothingWorse(source, changed(snapshot, {[source]: absent('taken away')}), 0)
    expectNothingWorse(source, changed(snapshot, {[source]: failed('it hung', 5000)}), 0)
  })

  test.each(sourceNames)('nothing above info is found anew or worse when %s broke off', (source) => {
    for (const which of [0, 1] as const)
      expectNothingWorse(source, changed(snapshot, {[source]: half(snapshot.readings[source], which)}), 1)
  })

  test('nothing above info is found anew or worse without any two sources', () => {
    for (const one of sourceNames)
      for (const other of sourceNames)
        expectNothingWorse([one, other], changed(snapshot, {[one]: absent('taken'), [other]: absent('taken')}), 1)
  })
})
