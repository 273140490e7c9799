import {expect, test} from 'vitest'
import {findingOf, type SampleParts, sampleOf} from '../support/sample-report.ts'

const all = (['critical', 'error', 'warning', 'info'] as const).map((severity) => findingOf(severity))
const known = all.map((finding) => ({...finding, known: true}) as const)
const lost = {'kubelet.pods': 'no answer'}

const cases: readonly [what: string, parts: SampleParts, failing: readonly string[], exit: number][] = [
  ['nothing found', {}, [], 0],
  ['nothing found by whoever lacks what this node never had', {unseen: {'api.node': 'no kubeconfig'}}, [], 0],
  ['nothing found by whoever lost a source', {failed: lost}, [], 3],
  ['nothing found by whoever looked for nothing', {looked: [], unseen: {'disk.entries': 'not in the bundle'}}, [], 3],
  ['findings of each severity', {findings: all}, ['critical', 'error', 'warning'], 1],
  ['findings of each severity and --fail-on critical', {findings: all, failOn: 'critical'}, ['critical'], 1],
  ['findings of each severity and --fail-on info', {findings: all, failOn: 'info'}, ['critical', 'error', 'warning', 'info'], 1],
  ['findings that are milder than --fail-on', {findings: all.slice(2), failOn: 'error'}, [], 0],
  ['milder findings of whoever lost a source', {findings: all.slice(2), failOn: 'error', failed: lost}, [], 3],
  ['findings of whoever lost a source', {findings: all, failOn: 'critical', failed: lost}, ['critical'], 1],
  ['known findings', {findings: known}, [], 0],
  ['known findings beside a new one', {findings: [...known, findingOf('warning')]}, ['warning'], 1],
]

test.each(cases)('verdictOf() of %s', (_what, parts, failing, exit) => {
  const [, verdict] = sampleOf(parts)
  expect([verdict.failing.map(({severity}) => severity), verdict.exit]).toEqual([failing, exit])
})

test('verdictOf() names what was lost, and all that was not seen where nothing could be looked for', () => {
  const unseen = {'api.node': 'no kubeconfig'}
  expect(sampleOf({failed: lost, unseen})[1].blind).toEqual([{source: 'kubelet.pods', why: 'no answer'}])
  expect(sampleOf({looked: [], unseen})[1].blind).toEqual([{source: 'api.node', why: 'no kubeconfig'}])
})
