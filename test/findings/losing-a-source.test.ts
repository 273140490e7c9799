// Evidence is a value: a source less may hide findings. It makes none, and takes none away that does not stand on it.
import {describe, expect, test} from 'vitest'
import {detect} from '../../src/findings/detect.ts'
import {detectors} from '../../src/findings/detectors.ts'
import {atLeast, type Finding} from '../../src/findings/finding.ts'
import type {Profile} from '../../src/kubelet/profiles.ts'
import {absent, failed, type Reading} from '../../src/node/reading.ts'
import {type Snapshot, type SourceName, sourceNames} from '../../src/node/snapshot.ts'
import {goldenCases, openCase} from '../support/golden-case.ts'

/** The same code, and no field of the subject that differs: a source less may tell less of a subject. A driver has one trouble at most. */
function isSame(a: Finding, b: Finding): boolean {
  if (a.code === b.code && a.subject.kind === 'Driver') return a.subject.driver === b.subject.driver
  const other: Readonly<Record<string, unknown>> = {...b.subject}
  return a.code === b.code && Object.entries(a.subject).every(([field, value]) => other[field] === undefined || other[field] === value)
}

/** What the detector cannot do without, and what the finding itself names. */
function standsOn(finding: Finding, profile: Profile): ReadonlySet<string> {
  const needs =
    detectors
      .find(({code}) => code === finding.code)
      ?.needs(profile)
      .flat() ?? []
  return new Set<string>([...needs, ...finding.evidence.map(({source}) => source)])
}

function without(snapshot: Snapshot, source: SourceName, reading: Reading<never>): Snapshot {
  return {...snapshot, readings: {...snapshot.readings, [source]: reading}}
}

const losses = [
  ['absent', absent('taken away')],
  ['failed', failed('it hung', 5000)],
] as const

describe.each(goldenCases)('of %s', (name) => {
  test.each(losses)(
    'a source that is %s adds no finding and makes none graver, and takes none that does not stand on it',
    async (_how, lost) => {
      const {snapshot, profile} = await openCase(name)
      const before = detect(snapshot, profile, detectors).findings
      for (const source of sourceNames) {
        if (snapshot.readings[source].state !== 'read') continue
        const after = detect(without(snapshot, source, lost), profile, detectors).findings
        const added = after.filter((finding) => !before.some((each) => isSame(each, finding) && atLeast(each.severity, finding.severity)))
        const taken = before.filter((finding) => !standsOn(finding, profile).has(source) && !after.some((each) => isSame(finding, each)))
        expect({source, added: added.map(short), taken: taken.map(short)}).toEqual({source, added: [], taken: []})
      }
    },
  )
})

function short({code, severity, message}: Finding): string {
  return `${code} ${severity}: ${message}`
}

test('these cases have findings of many codes, so that there is something to lose', async () => {
  const found = await Promise.all(
    goldenCases.map(async (name) => {
      const {snapshot, profile} = await openCase(name)
      return detect(snapshot, profile, detectors).findings.map(({code}) => code)
    }),
  )
  expect([...new Set(found.flat())].toSorted()).toEqual(detectors.map(({code}) => code).toSorted())
})
