import {describe, expect, test} from 'vitest'
import {detectors} from '../../src/findings/detectors.ts'
import {junitText} from '../../src/render/junit.ts'
import {junitErrors} from '../support/junit-schema.ts'
import {findingOf, hostile, type SampleParts, sampleOf, volume} from '../support/sample-report.ts'

const driver = findingOf('error', {
  code: 'C02',
  name: 'driver-socket-dead',
  subject: {kind: 'Driver', driver: 'd.example', path: '/d.sock'},
})
const follower = {...findingOf('critical'), cause: {code: 'C02', subject: driver.subject}}
const other = findingOf('warning', {subject: {...volume, name: 'pv2'}, message: 'Nothing is mounted at pv2.'})
const baseline = {node: 'n1', when: '2026-11-29T03:00:00Z'}
const poison = findingOf('error', {
  subject: {kind: 'Path', path: hostile},
  message: hostile,
  evidence: [{source: 'kernel.mounts', fact: hostile}],
  remedy: [{command: hostile, why: hostile, loses: hostile}],
})

const all = detectors.length + 1
const cases: readonly (readonly [what: string, parts: SampleParts, counts: readonly number[]])[] = [
  ['nothing', {}, [all, 0, 0, 0]],
  ['a finding of each severity', {findings: [follower, driver, other, findingOf('info')]}, [all + 1, 3, 0, 0]],
  ['findings below --fail-on', {findings: [driver, other], failOn: 'critical'}, [all, 0, 0, 0]],
  ['what is known', {findings: [{...driver, known: true}, other], baseline}, [all, 1, 0, 0]],
  ['what was not seen', {unseen: {'api.node': 'no kubeconfig'}}, [all, 0, 0, 1]],
  ['codes not looked for', {looked: ['V07'], unseen: {'kubelet.pods': 'a', 'api.pods': 'b'}}, [all, 0, 0, all - 1]],
  ['blindness', {looked: [], failed: {'disk.entries': 'no answer'}}, [all, 0, 1, all - 1]],
  ['a hostile node', {findings: [poison, {...poison, severity: 'info'}], failed: {'kubelet.pods': hostile}, node: hostile}, [all, 1, 1, 0]],
  ['a node without a name', {node: ' '}, [all, 0, 0, 0]],
]

/** Of the first testcase with this name: what is inside. */
function inside(xml: string, name: string): string | undefined {
  const [, after] = xml.split(`name="${name}" time="0"`)
  return after?.startsWith('/>') ? '' : /^>\n([\s\S]*?)\n<\/testcase>/.exec(after ?? '')?.[1]
}

test.each([
  ['no XML', '<testsuites>'],
  ['a suite without attributes', '<testsuites><testsuite/></testsuites>'],
  ['two failures of one test', junitText(...sampleOf({findings: [driver]})).replace(/<failure[\s\S]*<\/failure>/, '$&$&')],
])('junitErrors() refuses %s', async (_what, xml) => {
  expect(await junitErrors(xml)).not.toEqual([])
})

describe('junitText()', () => {
  test.each(cases)('junitText() of %s holds to the schema and counts right', async (_what, parts, counts) => {
    const xml = junitText(...sampleOf(parts))
    expect(await junitErrors(xml)).toEqual([])
    const said = ['tests', 'failures', 'errors', 'skipped'].map((name) => Number(new RegExp(` ${name}="(\\d+)"`).exec(xml)?.[1]))
    expect(said).toEqual(counts)
    const there = ['testcase', 'failure', 'error', 'skipped'].map((name) => xml.split(`\n<${name} `).length - 1)
    expect(there).toEqual(counts)
  })

  test('junitText() has a test for each code, and one for each finding that fails', () => {
    const xml = junitText(...sampleOf({findings: [follower, driver, other, findingOf('info', {message: 'Only info.'})]}))
    expect(inside(xml, 'V07 stacked-mounts')).toBe('')
    expect(inside(xml, 'C02 driver-socket-dead: Driver d.example /d.sock')).toMatch(/^<failure type="error" message=/)
    expect(inside(xml, 'V06 volume-dir-not-mounted: Volume default/pv2 /var/lib/kubelet/pods/u1/volumes/pv1')).toContain('mounted at pv2.')
    expect(inside(xml, 'V06 volume-dir-not-mounted')).toBeUndefined()
    expect(xml).toMatch(/<system-out>INFO V06 volume-dir-not-mounted\n {2}Only info\./)
  })

  test("junitText() gives a finding's evidence, remedies, cause and links", () => {
    const xml = junitText(...sampleOf({findings: [follower, driver]}))
    expect(inside(xml, 'V06 volume-dir-not-mounted: Volume default/pv1 /var/lib/kubelet/pods/u1/volumes/pv1')).toBe(
      [
        '<failure type="critical" message="Nothing is mounted at pv1.">CRITICAL V06 volume-dir-not-mounted',
        '  Nothing is mounted at pv1.',
        '  Follows from: C02 Driver d.example /d.sock',
        '    kernel.mounts: no mount there',
        '  $ findmnt',
        '      look',
        '  https://example.test/1</failure>',
      ].join('\n'),
    )
  })

  test('junitText() says why a code was not looked for, by what it needs', () => {
    const xml = junitText(...sampleOf({looked: ['V07'], unseen: {'api.node': 'x', 'csi.registrations': 'not captured'}}))
    expect(inside(xml, 'C01 driver-not-registered')).toBe('<skipped message="csi.registrations: not captured"/>')
    expect(inside(xml, 'V06 volume-dir-not-mounted')).toBe('<skipped message="api.node: x; csi.registrations: not captured"/>')
  })

  test('junitText() calls blindness an error', () => {
    const xml = junitText(...sampleOf({failed: {'disk.entries': 'no <answer>'}, unseen: {'api.node': 'x'}}))
    expect(inside(xml, 'every source was seen')).toBe(
      '<error type="blind" message="could not look: disk.entries: no &lt;answer&gt;">api.node: x\ndisk.entries: no &lt;answer&gt;</error>',
    )
  })

  test('junitText() shows what is known as no failure', () => {
    const xml = junitText(...sampleOf({findings: [{...driver, known: true}], baseline}))
    expect(inside(xml, 'C02 driver-socket-dead')).toBe('')
    expect(xml).toContain('<system-out>ERROR C02 driver-socket-dead (known)')
  })
})
