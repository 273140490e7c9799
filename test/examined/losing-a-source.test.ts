import {describe, expect, test} from 'vitest'
import {known} from '../../src/node/reading.ts'
import {type SourceName, sourceNames} from '../../src/node/snapshot.ts'
import {reportOf} from '../support/examined/expect.ts'
import {healthy} from '../support/examined/healthy.ts'
import {without} from '../support/examined/node.ts'
import {pictures} from '../support/examined/pictures.ts'

const rank = ['info', 'warning', 'error', 'critical']
const names = Object.keys(pictures)

function found(snapshot: Parameters<typeof reportOf>[0]): Map<string, number> {
  const ranks = new Map<string, number>()
  for (const {code, severity} of reportOf(snapshot).findings) ranks.set(code, Math.max(rank.indexOf(severity), ranks.get(code) ?? 0))
  return ranks
}

describe.each(['healthy', ...names])('a source is lost on the node of %s', (name) => {
  const snapshot = healthy(pictures[name]).snapshot()
  const before = found(snapshot)
  const cases = sourceNames.map((source) => [source] as const)
  test.each(cases)('without %s nothing is found anew and nothing is worse', (source) => {
    for (const [code, severity] of found(without(snapshot, source)))
      if (!allowed(source, code))
        expect([code, rank[Math.max(severity, before.get(code) ?? -1)]]).toEqual([code, rank[before.get(code) ?? -1]])
  })
  test('without any two of them nothing above info is found anew', () => {
    for (const one of sourceNames)
      for (const other of sourceNames)
        for (const [code, severity] of found(without(snapshot, one, other)))
          if (severity > 0) expect([one, other, code, before.has(code)]).toEqual([one, other, code, true])
    expect(known(snapshot.readings['kernel.mounts'])).toBeDefined()
  })
})

/** What a source denies may come up as info without it. */
function allowed(source: SourceName, code: string): boolean {
  return `${source} ${code}` === ''
}
