import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {execa} from 'execa'
import {describe, expect, test} from 'vitest'
import {parse} from 'yaml'
import {renderRepro} from '../../src/render/repro.ts'
import {reproOutputs} from '../../src/render/repro-output.ts'
import {start} from '../../src/scenario/play.ts'
import type {ReproReport, RunReport} from '../../src/scenario/report.ts'
import type {Event} from '../../src/timeline/event.ts'
import {junitErrors} from '../support/junit-schema.ts'
import {call, failed, seen, step} from '../support/run-record.ts'

/** Whatever a scenario may bring. */
const nasty = `<b>&"'\u001b[31m # \\ ]]> é\n2nd`

const fromStart = (event: Event): Event => ({
  ...event,
  at: event.at - start,
  ...('endedAt' in event && event.endedAt ? {endedAt: event.endedAt - start} : {}),
})

const run = (more: Partial<RunReport>): RunReport => ({
  profile: '1.17.3',
  observed: true,
  expected: 'reproduced',
  verdict: 'reproduced',
  met: true,
  why: nasty,
  given: [{what: 'given', held: true, why: 'at 1 s'}],
  expectations: [{what: nasty, held: true, why: nasty, at: 1000}],
  ...more,
})

const unmet = {met: false, expectations: [{what: 'it is so', held: false, why: 'it was not'}]}

const report = (...runs: readonly RunReport[]): ReproReport => ({
  apiVersion: 'kubelimbo/v1',
  kind: 'ReproReport',
  metadata: {tool: 'kubelimbo 1.0.0', seed: 1, switches: ['+ends-keep-exits']},
  met: runs.every(({met}) => met),
  scenarios: [{name: 'some', label: 'A1', title: nasty, why: nasty, issues: ['kubernetes/kubernetes#1', nasty], seed: 1, runs}],
})

const mixed = report(
  run({}),
  run({profile: '1.18.2', expected: 'fixed', verdict: 'not fixed', ...unmet}),
  run({profile: '1.36.2', expected: 'fixed', verdict: 'inconclusive', ...unmet}),
)

const events = [
  step(0, 'create default/p'),
  call(1, 'StopPodSandbox', {ends: 9}),
  seen(2, {phase: 'Failed', containers: {main: failed}}),
].map(fromStart)
const compared = report(
  run({timeline: events}),
  run({profile: '1.18.2', expected: 'fixed', verdict: 'fixed', timeline: events.slice(0, 2)}),
)

test.each(reproOutputs)('renderRepro() as %s lets no control character out', async (output) => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  expect(await renderRepro(mixed, output)).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/)
})

const found = (code: string, severity = 'error') => ({code, severity, message: nasty})

test.each([
  ['nothing', {named: false, findings: []}, 'check finds nothing'],
  ['the bug', {named: true, findings: [found('P01'), found('R02')]}, `check names it: P01 <b>&"'`],
  [
    'something else',
    {named: false, findings: [found('R02'), found('R02'), found('P03', 'info')]},
    'check finds R02 (error), P03 (info), which is not it',
  ],
])('renderRepro() as a table says below a run that check finds %s', async (_, check, says) => {
  const lines = (await renderRepro(report(run({check: {at: 1, codes: ['P01'], ...check}}), run({})), 'table')).split('\n')
  const at = lines.findIndex((line) => line.startsWith('  1.17.3 reproduced'))
  expect(lines[at + 1]).toContain(`    ${says}`)
  expect(lines.filter((line) => line.startsWith('    check'))).toHaveLength(1)
})

describe('renderRepro() as a table', () => {
  test('renderRepro() has a column a kubelet, the oldest first, whatever came first', async () => {
    const text = await renderRepro(report(run({profile: '1.36.2'}), run({profile: '1.17.3'}), run({profile: '1.9.1'})), 'table')
    expect(text.split('\n')[0]?.split(/ {2,}/)).toEqual(['SCENARIO', 'LABEL', '1.9.1', '1.17.3', '1.36.2', 'AS EXPECTED'])
  })

  test('renderRepro() has a row a scenario, a line a run, and the sum', async () => {
    const text = await renderRepro(mixed, 'table')
    const lines = text.split('\n')
    expect(lines[0]?.split(/ {2,}/)).toEqual(['SCENARIO', 'LABEL', '1.17.3', '1.18.2', '1.36.2', 'AS EXPECTED'])
    expect(lines[1]?.split(/ {2,}/)).toEqual(['some', 'A1', 'reproduced', 'not fixed', 'inconclusive', 'NO'])
    expect(text).toContain('  1.18.2 not fixed (must be fixed): ')
    expect(lines.at(-2)).toBe('1 scenario, 3 runs: 2 not as expected (seed 1, switches +ends-keep-exits)')
  })

  test('renderRepro() has timelines side by side, with the first difference marked', async () => {
    const text = await renderRepro(compared, 'table')
    expect(text).toMatch(/\n {2}1\.17\.3: reproduced +1\.18\.2: fixed\n/)
    expect(text).toMatch(/\n {7}0\.000 step: create default\/p +\| {6}0\.000 step: create default\/p\n/)
    expect(text).toMatch(/\n> {6}2\.000 watch: MODIFIED default\/p Failed; main terminated 1 Error +<\n/)
    expect(text).toMatch(/\n {7}9\.000 cri: StopPodSandbox default\/p -> OK \(8 s\) +\| {6}9\.000 cri: StopPodSandbox/)
    expect(text.match(/^>/gm)).toHaveLength(1)
  })

  test('renderRepro() says when nothing differs, and shows one kubelet alone', async () => {
    expect(await renderRepro(report(run({timeline: events}), run({timeline: events})), 'table')).toContain('\n  no difference\n')
    expect(await renderRepro(report(run({timeline: events})), 'table')).toMatch(
      /\nsome on 1\.17\.3\n\n {5}0\.000 step: create default\/p\n/,
    )
  })
})

describe('renderRepro() as a table of 80 columns', () => {
  const versions = ['1.17.3', '1.18.2', '1.21.2', '1.26.5', '1.36.2']
  const wide = report(...versions.map((profile) => run({profile, why: 'word '.repeat(40).trim()})))
  const scenarios = wide.scenarios.map((each) => ({...each, name: 'a-name-that-takes-some-of-the-room'}))

  test('renderRepro() has shorter words where the table has no room for the usual ones, and says what they mean', async () => {
    const lines = (await renderRepro({...wide, scenarios}, 'table', 80)).split('\n')
    expect(lines.slice(0, 4)).toEqual([
      `SCENARIO                            ${versions.join('  ')}`,
      `a-name-that-takes-some-of-the-room  ${versions.map(() => 'bug   ').join('  ')}`.trimEnd(),
      '',
      'bug: reproduced',
    ])
    expect(lines.filter((line) => line.length > 80)).toEqual([])
    expect(lines.filter((line) => line.startsWith('    word'))).not.toEqual([])
  })

  test('renderRepro() says of which kubelets the timings are unobserved', async () => {
    const runs = versions.map((profile) => run({profile, observed: profile === '1.17.3'}))
    expect(await renderRepro(report(...runs), 'table')).toContain('\ntimings of 1.18.2, 1.21.2, 1.26.5, and 1.36.2 are unobserved: ')
    expect(await renderRepro(report(run({})), 'table')).not.toContain('unobserved')
  })

  test('renderRepro() has the whole words where there is room', async () => {
    expect(await renderRepro({...wide, scenarios}, 'table', 130)).toMatch(/^SCENARIO +LABEL +1\.17\.3 .* AS EXPECTED\n.* reproduced +yes\n/)
  })

  test('renderRepro() marks what is not as expected', async () => {
    const runs = ['not reproduced', 'not fixed', 'inconclusive'].map((verdict, index) =>
      run({profile: `${versions[index]}`, verdict: verdict as RunReport['verdict'], ...unmet}),
    )
    const text = await renderRepro(report(...runs), 'table', 50)
    expect(text.split('\n')[1]).toBe('some      no bug!  bug!    ?!')
    expect(text.replace(/\n +/g, ' ')).toContain('no bug!: not reproduced as it must be, bug!: not fixed as it must be, ?!: inconclusive')
  })

  test('renderRepro() has timelines one below the other, with a column of moments each', async () => {
    const text = await renderRepro(compared, 'table', 80)
    expect(text).toContain('\n      0.000      0.000 | step: create default/p\n')
    expect(text).toContain(
      '\n>     2.000            < watch: MODIFIED default/p Failed; main terminated 1\n                           Error\n',
    )
    expect(text).toContain('| both, < only 1.17.3, > only 1.18.2; > in front: the first difference')
  })

  test('renderRepro() has them side by side where each has 60 columns', async () => {
    expect(await renderRepro(compared, 'table', 125)).toMatch(/\n {7}0\.000 step: create default\/p {28}\| {6}0\.000 step: create/)
    expect(await renderRepro(compared, 'table', 124)).not.toMatch(/0\.000 step: create default\/p +\|/)
  })
})

describe('renderRepro() of what a switch has changed', () => {
  test.each([
    ['reproduced', 'fixed', 'not reproduced: as expected of the fixed kubelet: the bug is gone with +ends-keep-exits', 'bug gone'],
    ['fixed', 'reproduced', 'not fixed: as expected of a kubelet that has the bug: it is back with +ends-keep-exits', 'bug back'],
  ] as const)('renderRepro() says of %s that is %s what it shows', async (expected, showed, says, word) => {
    const text = await renderRepro(report(run({expected, showed, verdict: `not ${expected}`, ...unmet})), 'table')
    expect(text).toContain(`  1.17.3 ${says}\n    `)
    expect(text.split('\n')[1]).toMatch(new RegExp(` NO: ${word}$`))
    expect(text).toContain('1 scenario, 1 run: 1 not as expected of its version, as the switches make it (')
  })

  test('renderRepro() explains nothing by a switch that explains nothing', async () => {
    const text = await renderRepro(report(run({verdict: 'not reproduced', ...unmet})), 'table')
    expect(text).toContain('1.17.3 not reproduced (must be reproduced): ')
    expect(text.split('\n')[1]).toMatch(/ NO$/)
  })
})

test('renderRepro() as a table names what else did not hold', async () => {
  const expectations = ['one', 'other', 'third'].map((what) => ({what, held: what === 'third', why: 'it was not'}))
  const text = await renderRepro(report(run({verdict: 'not fixed', met: false, why: 'one: it was not', expectations})), 'table')
  expect(text.match(/^ {4}nor this: .*$/gm)).toEqual(['    nor this: other'])
})

test('renderRepro() as TAP is read by prove', async ({skip}) => {
  const folder = mkdtempSync(join(tmpdir(), 'kl-'))
  const path = join(folder, 'report.tap')
  writeFileSync(path, await renderRepro(report(run({}), run({profile: '1.18.2'})), 'tap'))
  const {exitCode, stdout, failed, code} = await execa('prove', ['--exec', 'cat', path], {reject: false})
  rmSync(folder, {recursive: true})
  skip(failed && code === 'ENOENT', 'needs prove, which comes with Perl')
  expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/All tests successful\.\nFiles=1, Tests=2,/)])
})

describe('renderRepro() as JUnit', () => {
  test('renderRepro() is valid, and counts', async () => {
    const xml = await renderRepro(mixed, 'junit')
    expect(await junitErrors(xml)).toEqual([])
    expect(xml).toMatch(/tests="3" failures="1" errors="1" skipped="0"/)
    expect(xml.match(/<testcase /g)).toHaveLength(3)
    expect(xml).toMatch(/<failure type="not fixed" message="not fixed, and it must be fixed: /)
    expect(xml).toMatch(/<error type="inconclusive"/)
  })
})

describe('renderRepro() as TAP', () => {
  test('renderRepro() has the lines of versions 13 and 14', async () => {
    const lines = (await renderRepro(mixed, 'tap')).split('\n')
    expect(lines.slice(0, 2)).toEqual(['TAP version 13', '1..3'])
    const points = lines.filter((line) => /^(not )?ok/.test(line))
    expect(points).toEqual([
      'ok 1 - some (A1) on 1.17.3: reproduced',
      'not ok 2 - some (A1) on 1.18.2: not fixed',
      'not ok 3 - some (A1) on 1.36.2: inconclusive',
    ])
    for (const line of lines.filter((each) => each !== ''))
      expect(line).toMatch(/^(TAP version 13|1\.\.\d+|#.*|(not )?ok \d+ - .*| {2}.*)$/)
  })

  test('renderRepro() has YAML below each test', async () => {
    const blocks = [...(await renderRepro(mixed, 'tap')).matchAll(/^ {2}---\n(.*?)^ {2}\.\.\.$/gms)].map(([, yaml]) => parse(yaml ?? ''))
    expect(blocks).toHaveLength(3)
    expect(blocks[1]).toEqual({
      expected: 'fixed',
      verdict: 'not fixed',
      message: expect.any(String),
      severity: 'fail',
      unheld: ['it is so: it was not'],
    })
  })
})

describe('renderRepro() as HTML', () => {
  test('renderRepro() is one file that loads nothing and takes nothing for markup', async () => {
    const html = await renderRepro(mixed, 'html')
    expect(html).toMatch(/^<!doctype html>\n/)
    expect(html).not.toMatch(/<script|<link|<img|src=|@import|url\(/)
    expect(html).not.toContain('<b>&"')
    expect(html).toContain('&lt;b&gt;&amp;&quot;&#39;\\x1b[31m')
    expect([...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual(['https://github.com/kubernetes/kubernetes/issues/1'])
  })

  test('renderRepro() closes what it opens', async () => {
    const html = await renderRepro(compared, 'html')
    const open: string[] = []
    for (const [, close, name = ''] of html.replace(/<style>.*?<\/style>/s, '').matchAll(/<(\/?)([a-z]\w*)[^>]*>/g)) {
      if (name === 'meta') continue
      if (close === '') open.push(name)
      else expect(open.pop()).toBe(name)
    }
    expect(open).toEqual([])
  })

  test('renderRepro() has each issue apart from the next', async () => {
    expect(await renderRepro(mixed, 'html')).toMatch(/kubernetes#1<\/a>, &lt;b&gt;/)
  })

  test('renderRepro() marks the first difference of the timelines', async () => {
    const html = await renderRepro(compared, 'html')
    expect(html.match(/<tr class="first">/g)).toHaveLength(1)
    expect(html).toMatch(/<tr class="first"><td class="only"><span class="at"> {4}2\.000 <\/span>watch: MODIFIED/)
  })
})

test.each(['json', 'yaml'] as const)('renderRepro() as %s is the report', async (output) => {
  expect(parse(await renderRepro(mixed, output))).toEqual(mixed)
})

const answered: NonNullable<RunReport['answers']> = [
  {
    at: 120_050,
    call: 3,
    method: 'NodeStageVolume',
    driver: 'd',
    volume: 'vol-a',
    outcome: 'DEADLINE_EXCEEDED',
    class: 'uncertain',
    owed: {method: 'NodeUnstageVolume', path: '/s', since: 120_050, dueAt: 120_050, letGoAt: 121_000, openUntil: 900_000},
  },
  {
    at: 121_000,
    call: 4,
    method: 'NodeUnpublishVolume',
    driver: 'd',
    volume: 'vol-a',
    pod: 'default/p',
    outcome: 'INTERNAL',
    class: 'transient',
    owed: {method: 'NodeUnpublishVolume', path: '/t', since: 120_060, dueAt: 121_000, cameAt: 121_500},
  },
  {
    at: 122_000,
    call: 5,
    method: 'NodePublishVolume',
    driver: 'd',
    volume: nasty,
    pod: 'default/p',
    outcome: 'OK',
    class: 'done',
    owed: {method: 'NodeUnpublishVolume', path: '/t', since: 122_000},
  },
  {
    at: 122_500,
    call: 7,
    method: 'NodePublishVolume',
    driver: 'd',
    volume: 'vol-a',
    pod: 'default/q',
    outcome: 'ABORTED',
    class: 'uncertain',
    owed: {method: 'NodeUnpublishVolume', path: '/q', since: 122_500, dueAt: 130_000, openUntil: 900_000},
  },
  {at: 123_000, call: 6, method: 'NodeStageVolume', driver: 'd', volume: 'vol-a', outcome: 'INTERNAL', class: 'final'},
]

test.each(['table', 'html'] as const)('renderRepro() as %s says what each answer left owed', async (output) => {
  const text = await renderRepro(report(run({timeline: events, answers: answered})), output)
  expect(text).toContain('1.17.3: what each answer of a driver left owed')
  for (const line of [
    '120.050 NodeStageVolume of vol-a: DEADLINE_EXCEEDED, uncertain; owed: NodeUnstageVolume, due at 120.050 s; never came: the kubelet let go of the volume at 121.000 s',
    '121.000 NodeUnpublishVolume of vol-a for default/p: INTERNAL, transient; owed since 120.060 s: NodeUnpublishVolume, due at 121.000 s; came at 121.500 s',
    'OK, done; owed: NodeUnpublishVolume, not due while a pod uses it\n',
    'ABORTED, uncertain; owed: NodeUnpublishVolume, due at 130.000 s; had not come when the run ended, 770.000 s later',
    '123.000 NodeStageVolume of vol-a: INTERNAL, final; nothing is owed',
  ])
    expect(text).toContain(output === 'html' ? line.trimEnd() : line)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/)
})

test('renderRepro() says nothing of answers where there are none', async () => {
  expect(await renderRepro(compared, 'table')).not.toContain('left owed')
})

test('renderRepro() says in each format for people what was real, and that nobody looked', async () => {
  const real = {runtimeEndpoint: 'unix:///run/x.sock', image: 'busybox:1', scale: 3}
  const ofReal = {...mixed, metadata: {...mixed.metadata, real}}
  const words = 'the runtime unix:///run/x.sock is real, containers are of busybox:1, time runs 3 times as fast, check did not look'
  for (const format of ['table', 'junit', 'tap', 'html'] as const) expect(await renderRepro(ofReal, format)).toContain(words)
  const whole = {...mixed, metadata: {...mixed.metadata, real: {runtimeEndpoint: 'unix:///a', csiEndpoint: 'unix:///b', scale: 1}}}
  expect(await renderRepro(whole, 'table')).toContain(
    'the runtime unix:///a and the driver unix:///b are real, in real time, check did not look',
  )
})
