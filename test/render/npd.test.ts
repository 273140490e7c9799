// What a plugin's answer is: node-problem-detector's docs/custom_plugin_monitor.md; it cuts at 80 bytes, not characters.
import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {severities} from '../../src/findings/finding.ts'
import {npdAnswer, npdUnknown} from '../../src/render/npd.ts'
import {findingOf, hostile, type SampleParts, sampleOf} from '../support/sample-report.ts'

const long = 'The mount of default/web-0 did not answer within 3s: it is slow or lost, one look cannot tell.'
const driver = findingOf('error', {code: 'C02', message: 'It refuses connections.'})
const follower = {...findingOf('error'), cause: {code: 'C02', subject: driver.subject}}
const baseline = {node: 'n1', when: '2026-11-29T03:00:00Z'}

const cases: readonly (readonly [what: string, parts: SampleParts, exit: number, line: string])[] = [
  ['nothing', {}, 0, 'no finding'],
  ['info', {findings: [findingOf('info')]}, 0, 'nothing at or above warning, 1 info'],
  ['info that fails', {findings: [findingOf('info')], failOn: 'info'}, 1, 'V06: Nothing is mounted at pv1.'],
  ['a warning', {findings: [findingOf('warning')]}, 1, 'V06: Nothing is mounted at pv1.'],
  ['errors, by their cause', {findings: [follower, driver]}, 1, 'C02 and 1 more: It refuses connections.'],
  ['the most severe', {findings: [findingOf('critical', {code: 'V10'}), driver]}, 1, 'V10 and 1 more: Nothing is mounted at pv1.'],
  [
    'a long one',
    {findings: [findingOf('warning', {message: long})]},
    1,
    'V06: The mount of default/web-0 did not answer within 3s: it is slow or lost,…',
  ],
  ['blindness', {failed: {'kubelet.pods': 'no\nanswer'}}, 2, 'could not look: kubelet.pods: no\\nanswer'],
  ['findings of whoever lost a source', {findings: [driver], failed: {'kubelet.pods': 'no'}}, 1, 'C02: It refuses connections.'],
  ['what is known', {findings: [{...driver, known: true}], baseline}, 0, 'nothing new at or above warning, 1 known'],
]

describe('npdAnswer()', () => {
  test.each(cases)('npdAnswer() tells of %s', (_what, parts, exit, line) => {
    expect(npdAnswer(...sampleOf(parts))).toEqual({text: `${line}\n`, exit})
  })

  test('npdAnswer() is one line of at most 80 bytes, whatever a finding says', () => {
    const text = fc.oneof(fc.string({unit: 'binary', maxLength: 200}), fc.constant(hostile), fc.constant('👩‍👩‍👧‍👦'.repeat(9)))
    fc.assert(
      fc.property(text, fc.constantFrom(...severities), fc.boolean(), (message, severity, blind) => {
        const sample = sampleOf({findings: [findingOf(severity, {message})], ...(blind && {failed: {'kubelet.pods': message}})})
        const line = npdAnswer(...sample).text
        expect(line).toMatch(/^[^\p{Cc}\p{Cs}]+\n$/u)
        expect(Buffer.byteLength(line.trim())).toBeLessThanOrEqual(80)
      }),
    )
  })
})

test('npdUnknown() tells why nobody looked', () => {
  expect(npdUnknown('x'.repeat(99))).toEqual({text: `${'x'.repeat(77)}…\n`, exit: 2})
})
