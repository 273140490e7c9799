import {expect, test} from 'vitest'
import type {Finding} from '../../src/findings/finding.ts'
import {checkNamesIt} from '../../src/scenario/check-names-it.ts'
import {findingOf} from '../support/sample-report.ts'

const start = 1_000_000
const p03 = (severity: Finding['severity']) => findingOf(severity, {code: 'P03', message: 'It is made up.'})
const look = (...findings: readonly Finding[]) => ({at: start + 50_000, findings})

test.each([
  ['there', 'reproduced', [p03('error')], true, 'at 50 s it says: It is made up.'],
  ['not there', 'reproduced', [], false, 'at 50 s it finds nothing'],
  ['there, but not so grave', 'reproduced', [p03('info')], false, 'at 50 s it finds P03 (info)'],
  ['there', 'fixed', [findingOf('warning'), p03('error')], false, 'at 50 s it says: It is made up.'],
  ['not there', 'fixed', [], true, 'at 50 s it finds nothing'],
  ['there, but not so grave', 'fixed', [p03('info')], true, 'at 50 s it finds P03 (info)'],
] as const)('checkNamesIt() of a finding that is %s, where it must be %s', (_, verdict, findings, held, why) => {
  const what = `check ${verdict === 'fixed' ? 'does not name' : 'names'} it: P03 (error)`
  expect(checkNamesIt({codes: ['P03'], severity: 'error'}, look(...findings), verdict, start)).toEqual({what, held, why})
})

test('checkNamesIt() takes any severity where none is said', () => {
  expect(checkNamesIt({codes: ['P01', 'P03']}, look(p03('info')), 'reproduced', start).held).toBe(true)
})

test.each(['reproduced', 'fixed'] as const)('checkNamesIt() does not hold for %s when nobody looked', (verdict) => {
  expect(checkNamesIt({codes: ['P03']}, undefined, verdict, start)).toMatchObject({held: false, why: /did not look/})
})
