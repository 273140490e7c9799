import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {UserError} from '../../src/base/errors.ts'
import {comparedTo, parseBaseline, strangerWarnings} from '../../src/findings/baseline.ts'
import {type Finding, type Severity, severities} from '../../src/findings/finding.ts'
import {dataText} from '../../src/render/data.ts'
import {findingOf, hostile, sampleOf, volume} from '../support/sample-report.ts'

const [earlier] = sampleOf({findings: [findingOf('warning')]})
const now = (finding: Finding) => sampleOf({findings: [finding]})[0]
const parse = (document: unknown) => parseBaseline(JSON.stringify(document), 'b.json')
const knownOf = async (document: unknown, finding: Finding) => comparedTo(now(finding), await parse(document)).findings[0]?.known

const wrong: readonly (readonly [what: string, written: string, says: string])[] = [
  ['nothing', ' \n', 'must be a report: it is empty'],
  ['torn JSON', '{"apiVersion": "kubeli', 'must be JSON: '],
  ['what is neither JSON nor YAML', 'a: b: c', 'must be JSON or YAML: '],
  ['a table', 'node n1 at 2026-11-30T03:11:04Z: no finding', "'apiVersion' must be given: it is not there"],
  ['an array', '[]', "'apiVersion' must be given: it is not there"],
  ['null', 'null', 'it must be an object: it is null'],
  ['another report', JSON.stringify({...earlier, kind: 'Volumes'}), '\'kind\' must be "CheckReport": it is "Volumes"'],
  [
    'a later version',
    JSON.stringify({...earlier, apiVersion: 'kubelimbo/v2'}),
    '\'apiVersion\' must be "kubelimbo/v1": it is "kubelimbo/v2"',
  ],
  ['no findings', JSON.stringify({...earlier, findings: undefined}), "'findings' must be given: it is not there"],
  [
    'no moment',
    JSON.stringify({...earlier, metadata: {...earlier.metadata, when: 'today'}}),
    '\'metadata.when\' must be a moment such as 2026-11-30T03:11:04Z: it is "today"',
  ],
  [
    'a severity of later',
    JSON.stringify({...earlier, findings: [findingOf('warning'), {...findingOf('error'), severity: 'fatal'}]}),
    '\'findings.1.severity\' must be "critical" or "error" or "warning" or "info": it is "fatal"',
  ],
  [
    'a path that is no text',
    JSON.stringify({...earlier, findings: [{...findingOf('error'), subject: {kind: 'Path', path: 5}}]}),
    "'findings.0.subject.path' must be a text: it is 5",
  ],
]

describe('parseBaseline()', () => {
  test.each(wrong)('parseBaseline() refuses %s and says where', async (_what, written, says) => {
    const refused = parseBaseline(written, 'b.json')
    await expect(refused).rejects.toThrow(UserError)
    await expect(refused).rejects.toThrow(says)
    await expect(refused).rejects.toThrow(/^Cannot use b\.json as a baseline as /)
  })

  test('parseBaseline() reads -o yaml as it reads -o json', async () => {
    const [report] = sampleOf({findings: severities.map((severity) => findingOf(severity, {subject: {...volume, name: hostile}}))})
    expect(await parseBaseline(await dataText(report, 'yaml'), 'b')).toEqual(await parseBaseline(await dataText(report, 'json'), 'b'))
  })

  test('parseBaseline() leaves alone what a later version may add', async () => {
    const later = {...findingOf('warning'), since: 1, subject: {...volume, zone: 'z'}}
    expect(await knownOf({...earlier, findings: [later], more: []}, findingOf('warning'))).toBe(true)
  })

  test('parseBaseline() throws nothing but a UserError', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.json(),
          fc.string(),
          fc.json().map((json) => json.slice(0, -1)),
        ),
        async (written) => {
          await parseBaseline(written, 'b').catch((error) => expect(error).toBeInstanceOf(UserError))
        },
      ),
    )
  })
})

const changes: readonly (readonly [what: string, finding: Finding, known: true | undefined])[] = [
  ['the same', findingOf('warning'), true],
  ['the same in other words', findingOf('warning', {message: 'For 3h now.', evidence: [], name: 'renamed'}), true],
  ['a milder one', findingOf('info'), true],
  ['a more severe one', findingOf('error'), undefined],
  ['another code', findingOf('warning', {code: 'V05'}), undefined],
  ['another volume', findingOf('warning', {subject: {...volume, name: 'pv2'}}), undefined],
  ['one that tells more of its subject', findingOf('warning', {subject: {...volume, driver: 'd'}}), undefined],
]

describe('comparedTo()', () => {
  test.each(changes)('comparedTo() takes %s for known: %s', async (_what, finding, known) => {
    expect(await knownOf(earlier, finding)).toBe(known)
  })

  test('comparedTo() keeps the report but for what is known, and names the baseline', async () => {
    const news = findingOf('error', {code: 'V05'})
    const report = now(news)
    const metadata = {...report.metadata, baseline: {node: 'n1', when: '2026-11-30T03:00:00Z'}}
    expect(comparedTo(report, await parse(earlier))).toEqual({...report, metadata})
  })

  test('comparedTo() goes by the most severe where the baseline has one twice', async () => {
    const twice = (order: readonly Severity[]) => ({...earlier, findings: order.map((severity) => findingOf(severity))})
    expect(await knownOf(twice(['error', 'info']), findingOf('warning'))).toBe(true)
    expect(await knownOf(twice(['info', 'error']), findingOf('warning'))).toBe(true)
  })

  test('comparedTo() finds nothing new in a report that is its own baseline, however it was compared before', async () => {
    const subject = fc.record(
      {
        kind: fc.constant('Volume' as const),
        name: fc.string({unit: 'binary'}),
        path: fc.string(),
        handle: fc.string(),
        podUid: fc.string(),
      },
      {requiredKeys: ['kind']},
    )
    const finding = fc
      .tuple(fc.constantFrom(...severities), subject, fc.boolean())
      .map(([severity, about, known]) => findingOf(severity, {subject: about, ...(known && {known: true})}))
    await fc.assert(
      fc.asyncProperty(fc.array(finding), async (findings) => {
        const [report] = sampleOf({findings})
        const compared = comparedTo(report, await parse(report))
        expect(compared.findings.every(({known}) => known)).toBe(true)
      }),
    )
  })
})

test.each([
  ['n1', 'n1', []],
  ['n2', 'n1', ['the baseline is of node n2, and this is n1']],
  ['', 'n1', []],
  ['n1', '', []],
])('strangerWarnings() of a baseline of %j for node %j', async (then, node, warnings) => {
  const baseline = await parse({...earlier, metadata: {...earlier.metadata, node: then}})
  expect(strangerWarnings(sampleOf({node})[0], baseline)).toEqual(warnings)
})
