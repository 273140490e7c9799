// Whatever two nodes are: a node does not differ from itself, and what is new one way is gone the other way.
import fc from 'fast-check'
import {expect, test} from 'vitest'
import {detect} from '../src/findings/detect.ts'
import {detectors} from '../src/findings/detectors.ts'
import {diffFindings, type FindingChange, type Judged} from '../src/findings/diff-findings.ts'
import {whyUnusable} from '../src/findings/usable.ts'
import {compareNodes, type NotCompared} from '../src/node/diff/compare-nodes.ts'
import type {Difference} from '../src/node/diff/thing.ts'
import {absent} from '../src/node/reading.ts'
import {type Snapshot, type SourceName, sourceNames} from '../src/node/snapshot.ts'
import {fullNode} from './support/full-node.ts'
import {goldenCases, openCase} from './support/golden-case.ts'

const nodes: Judged[] = await Promise.all(
  goldenCases.map(async (name) => {
    const {snapshot, profile} = await openCase(name)
    return {snapshot, detection: detect(snapshot, profile, detectors)}
  }),
)
const full = await fullNode()

function without({snapshot, detection}: Judged, sources: readonly SourceName[]): Judged {
  const gone = Object.fromEntries(sources.map((source) => [source, absent('taken away')]))
  return {snapshot: {...snapshot, readings: {...snapshot.readings, ...gone}} as Snapshot, detection}
}

const side = fc
  .tuple(fc.constantFrom(...nodes), fc.oneof({weight: 2, arbitrary: fc.constant([])}, fc.subarray([...sourceNames], {maxLength: 6})))
  .map(([node, gone]) => without(node, gone))

const mirrored = {appeared: 'gone', gone: 'appeared', changed: 'changed', recreated: 'recreated'} as const

function turned(difference: Difference): Difference {
  if ('facts' in difference) return {...difference, change: mirrored[difference.change] as 'gone'}
  return {...difference, fields: difference.fields.map(({field, from, to}) => ({field, from: to, to: from}))}
}

const otherSide = ({source, side, why}: NotCompared) => JSON.stringify([source, side === 'a' ? 'b' : 'a', why])
const thisSide = ({source, side, why}: NotCompared) => JSON.stringify([source, side, why])

test('compareNodes: a node does not differ from itself, whatever it is', () => {
  for (const {snapshot} of nodes) expect(compareNodes(snapshot, snapshot, whyUnusable).differences).toEqual([])
})

test('compareNodes: two nodes the other way round differ the other way round', () => {
  fc.assert(
    fc.property(side, side, (a, b) => {
      const forth = compareNodes(a.snapshot, b.snapshot, whyUnusable)
      const back = compareNodes(b.snapshot, a.snapshot, whyUnusable)
      expect(back.differences).toEqual(forth.differences.map(turned))
      expect(back.notCompared.map(thisSide).sort()).toEqual(forth.notCompared.map(otherSide).sort())
    }),
    {numRuns: 200},
  )
})

test('compareNodes: nothing of a source that one side does not have appeared or is gone', () => {
  fc.assert(
    fc.property(fc.constantFrom(...nodes), side, (a, b) => {
      for (const {change, sources} of compareNodes(a.snapshot, b.snapshot, whyUnusable).differences)
        if (change === 'gone' || change === 'appeared')
          for (const source of sources)
            expect([a, b].map(({snapshot}) => snapshot.readings[source as SourceName].state)).toEqual(['read', 'read'])
    }),
    {numRuns: 100},
  )
})

test('compareNodes: the order of the lists does not matter but for mounts, where it is what lies on what', () => {
  fc.assert(
    fc.property(fc.constantFrom(full, ...nodes.map(({snapshot}) => snapshot)), (snapshot) => {
      const readings = Object.fromEntries(
        Object.entries(snapshot.readings).map(([name, reading]) => [
          name,
          reading.state === 'read' && Array.isArray(reading.value) && name !== 'kernel.mounts'
            ? {...reading, value: reading.value.toReversed()}
            : reading,
        ]),
      )
      expect(compareNodes(snapshot, {...snapshot, readings} as unknown as Snapshot, whyUnusable).differences).toEqual([])
    }),
    {numRuns: 100},
  )
})

const turnedFinding = {new: 'cleared', cleared: 'new', still: 'still'} as const
const brief = ({change, code, subject, severity, was}: FindingChange) => ({change, code, subject, severity, was})

test('diffFindings: all findings of a node are still there when it is looked at again', () => {
  for (const node of nodes) {
    const {findings, notCompared} = diffFindings(node, node)
    expect(findings.map(({change}) => change)).toEqual(node.detection.findings.map(() => 'still'))
    expect(notCompared).toEqual([])
  }
})

test('diffFindings: what is new one way is cleared the other way', () => {
  fc.assert(
    fc.property(side, side, (a, b) => {
      const forth = diffFindings(a, b).findings.map(brief)
      const back = diffFindings(b, a).findings.map(brief)
      expect(back).toEqual(
        forth.map(({change, severity, was, ...rest}) => ({
          change: turnedFinding[change],
          ...rest,
          severity: was ?? severity,
          was: was === undefined ? undefined : severity,
        })),
      )
    }),
    {numRuns: 200},
  )
})

test('diffFindings: a finding whose evidence cannot be seen any more is not cleared', () => {
  for (const node of nodes) {
    for (const {code, evidence} of node.detection.findings) {
      const sources = evidence
        .map(({source}) => source)
        .filter((source): source is SourceName => (sourceNames as readonly string[]).includes(source))
      if (sources.length === 0) continue
      const blind = without({...node, detection: {...node.detection, findings: []}}, sources)
      const {findings, notCompared} = diffFindings(node, blind)
      expect(findings.filter((finding) => finding.code === code)).toEqual([])
      expect(notCompared).toEqual(expect.arrayContaining([expect.objectContaining({source: code, side: 'b'})]))
    }
  }
})
