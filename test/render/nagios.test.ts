// What a line must be: https://nagios-plugins.org/doc/guidelines.html.
import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {severities} from '../../src/findings/finding.ts'
import {nagiosAnswer, nagiosUnknown} from '../../src/render/nagios.ts'
import {findingOf, hostile, type SampleParts, sampleOf} from '../support/sample-report.ts'

const critical = findingOf('critical')
const error = findingOf('error', {code: 'C02', name: 'driver-socket-dead', message: 'It refuses connections.'})
const warning = findingOf('warning')
const info = findingOf('info')
const follower = {...findingOf('error'), cause: {code: 'C02', subject: error.subject}}
const baseline = {node: 'n1', when: '2026-11-29T03:00:00Z'}

const none = "'critical'=0;;;0 'error'=0;;;0 'warning'=0;;;0 'info'=0;;;0"

/** A reader by the guidelines: [state, text, labels and values]. */
function readLine(line: string): {state: string; text: string; data: Readonly<Record<string, number>>} {
  const found = /^(OK|WARNING|CRITICAL|UNKNOWN) - ([^|\n]+?)(?: \| ([^|\n]+))?\n$/.exec(line)
  if (found === null) throw new Error(`no line of a plugin: ${JSON.stringify(line)}`)
  const [, state = '', text = '', data = ''] = found
  const pairs = data.split(' ').flatMap((pair) => {
    if (pair === '') return []
    const parts = /^'([^'=]{1,19})'=(\d+);;;0$/.exec(pair)
    if (parts === null) throw new Error(`no performance data: ${pair}`)
    return [[parts[1], Number(parts[2])] as const]
  })
  return {state, text, data: Object.fromEntries(pairs)}
}

const cases: readonly (readonly [what: string, parts: SampleParts, exit: number, line: string])[] = [
  ['nothing', {}, 0, `OK - no finding | ${none} 'unseen'=0;;;0`],
  ['nothing, with a source unseen', {unseen: {'api.node': 'no'}}, 0, `OK - no finding, 1 source not seen | ${none} 'unseen'=1;;;0`],
  [
    'info',
    {findings: [info]},
    0,
    "OK - nothing at or above warning, 1 info | 'critical'=0;;;0 'error'=0;;;0 'warning'=0;;;0 'info'=1;;;0 'unseen'=0;;;0",
  ],
  [
    'info that fails',
    {findings: [info], failOn: 'info'},
    1,
    "WARNING - 1 info: V06 volume-dir-not-mounted: Nothing is mounted at pv1. | 'critical'=0;;;0 'error'=0;;;0 'warning'=0;;;0 'info'=1;;;0 'unseen'=0;;;0",
  ],
  [
    'a warning',
    {findings: [warning, info]},
    1,
    "WARNING - 1 warning: V06 volume-dir-not-mounted: Nothing is mounted at pv1. | 'critical'=0;;;0 'error'=0;;;0 'warning'=1;;;0 'info'=1;;;0 'unseen'=0;;;0",
  ],
  [
    'errors, by their cause',
    {findings: [follower, error, warning]},
    2,
    "CRITICAL - 2 error, 1 warning: C02 driver-socket-dead: It refuses connections. | 'critical'=0;;;0 'error'=2;;;0 'warning'=1;;;0 'info'=0;;;0 'unseen'=0;;;0",
  ],
  [
    'a critical one of whoever lost a source',
    {findings: [critical], failed: {'kubelet.pods': 'no answer'}},
    2,
    "CRITICAL - 1 critical: V06 volume-dir-not-mounted: Nothing is mounted at pv1. | 'critical'=1;;;0 'error'=0;;;0 'warning'=0;;;0 'info'=0;;;0 'unseen'=1;;;0",
  ],
  [
    'an error below --fail-on',
    {findings: [error], failOn: 'critical'},
    0,
    "OK - nothing at or above critical, 1 error | 'critical'=0;;;0 'error'=1;;;0 'warning'=0;;;0 'info'=0;;;0 'unseen'=0;;;0",
  ],
  [
    'blindness',
    {failed: {'kubelet.pods': 'no\nanswer'}, unseen: {'api.node': 'no'}},
    3,
    `UNKNOWN - could not look: kubelet.pods: no\\nanswer | ${none} 'unseen'=2;;;0`,
  ],
  [
    'what is known',
    {findings: [{...error, known: true}, info], baseline},
    0,
    "OK - nothing new at or above warning, 1 info, 1 known | 'critical'=0;;;0 'error'=0;;;0 'warning'=0;;;0 'info'=1;;;0 'known'=1;;;0 'unseen'=0;;;0",
  ],
]

describe('nagiosAnswer()', () => {
  test.each(cases)('nagiosAnswer() tells of %s', (_what, parts, exit, line) => {
    expect(nagiosAnswer(...sampleOf(parts))).toEqual({text: `${line}\n`, exit})
    expect(['OK', 'WARNING', 'CRITICAL', 'UNKNOWN'][exit]).toBe(readLine(`${line}\n`).state)
  })

  test('nagiosAnswer() is one line with one bar, whatever a finding says', () => {
    const text = fc.oneof(fc.string({unit: 'binary', maxLength: 3000}), fc.constant(hostile))
    fc.assert(
      fc.property(text, fc.constantFrom(...severities), fc.boolean(), (message, severity, blind) => {
        const sample = sampleOf({findings: [findingOf(severity, {message})], ...(blind && {failed: {'kubelet.pods': message}})})
        const answer = nagiosAnswer(...sample)
        expect(readLine(answer.text).data).toMatchObject({[severity]: 1, unseen: blind ? 1 : 0})
        expect(answer.text).not.toMatch(/\p{Cc}(?!$)/u)
        expect(Buffer.byteLength(answer.text)).toBeLessThan(1024)
      }),
    )
  })
})

test('nagiosUnknown() tells why nobody looked', () => {
  expect(nagiosUnknown('Cannot run this | as')).toEqual({text: 'UNKNOWN - Cannot run this ¦ as\n', exit: 3})
})
