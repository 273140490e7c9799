// What a lost source does to R02, R03 and R06: nothing is found anew, nothing gets worse, and what does not stand on it stays.
import {describe, expect, test} from 'vitest'
import {detect} from '../../../src/findings/detect.ts'
import {detectors} from '../../../src/findings/detectors.ts'
import {type Finding, severities} from '../../../src/findings/finding.ts'
import {absent, failed, type Reading, read} from '../../../src/node/reading.ts'
import {type Readings, type Snapshot, type SourceName, sourceNames} from '../../../src/node/snapshot.ts'
import {goldenCases, openCase} from '../../support/golden-case.ts'

const codes = new Set(['R02', 'R03', 'R06'])
const ours = detectors.filter(({code}) => codes.has(code))
const keyOf = ({code, subject}: Finding) => JSON.stringify([code, subject])

/** The half of a list, known to be no more than that. */
function half(reading: Reading<unknown>, which: number): Reading<unknown> {
  if (reading.state !== 'read' || !Array.isArray(reading.value)) return reading
  return read(
    reading.value.filter((_, index) => index % 2 === which),
    'it broke off',
  )
}

const losses: Readonly<Record<string, (reading: Reading<unknown>) => Reading<unknown>>> = {
  absent: () => absent('taken away'),
  failed: () => failed('it hung', 5000),
  'cut to one half': (reading) => half(reading, 0),
  'cut to the other half': (reading) => half(reading, 1),
}

describe.each(goldenCases)('on the node of %s', (name) => {
  test.each(Object.keys(losses))('no R-finding is new, worse or lost for no reason when any source is %s', async (how) => {
    const {snapshot, profile} = await openCase(name)
    const before = detect(snapshot, profile, ours).findings
    for (const source of sourceNames) {
      const findings = detect(changed(snapshot, source, losses[how] ?? read), profile, ours).findings
      const worse = findings.filter((each) => severities.indexOf(each.severity) < rankBefore(before, each))
      expect([source, worse.map(({code, severity, message}) => `${code} ${severity} ${message}`)]).toEqual([source, []])
      const found = new Set(findings.map(keyOf))
      const lost = before.filter((each) => !found.has(keyOf(each)) && !standsOn(each, source, profile))
      expect([source, lost.map(({message}) => message)]).toEqual([source, []])
    }
  })

  function changed(snapshot: Snapshot, source: SourceName, loss: (reading: Reading<unknown>) => Reading<unknown>): Snapshot {
    const readings: Record<string, Reading<unknown>> = {...snapshot.readings, [source]: loss(snapshot.readings[source])}
    return {...snapshot, readings: readings as unknown as Readings}
  }

  function standsOn({code, evidence}: Finding, source: SourceName, profile: Parameters<(typeof ours)[number]['needs']>[0]): boolean {
    const needed =
      ours
        .find((each) => each.code === code)
        ?.needs(profile)
        .flat() ?? []
    return needed.includes(source) || evidence.some((each) => each.source === source)
  }
})

/** Of the same finding before, the place in the list of severities; past the end when there was none. */
function rankBefore(before: readonly Finding[], finding: Finding): number {
  const same = before.find((each) => keyOf(each) === keyOf(finding))
  return same === undefined ? severities.length : severities.indexOf(same.severity)
}
