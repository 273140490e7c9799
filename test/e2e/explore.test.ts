import {existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {setTimeout} from 'node:timers/promises'
import {Ajv} from 'ajv'
import {afterAll, expect, test} from 'vitest'
import {width} from '../../src/render/width.ts'
import type {ExploreReport} from '../../src/scenario/explore/explore-report.ts'
import {kubelimbo, printed, start} from '../support/kubelimbo.ts'
import {publishedSchema} from '../support/published-schema.ts'

const folder = mkdtempSync(join(tmpdir(), 'kl-'))
afterAll(() => rmSync(folder, {recursive: true}))

const explore = (...args: readonly string[]) => kubelimbo(['repro', 'explore', ...args])
const reportOf = (text: string) => JSON.parse(text) as ExploreReport

test('repro explore prints a report of the published shape, nothing on a stderr that is no terminal, and ends with 1', async () => {
  const {exitCode, stdout, stderr} = await explore('--runs', '5', '-o', 'json')
  expect([exitCode, stderr]).toEqual([1, ''])
  const validate = new Ajv({strict: true, allErrors: true}).compile(publishedSchema('explore'))
  expect(validate(reportOf(stdout)), JSON.stringify(validate.errors?.slice(0, 3))).toBe(true)
  expect(reportOf(stdout)).toMatchObject({histories: 5, metadata: {profile: '1.17.3', seed: 1}})
})

test('repro explore ends with 0 where everything holds', async () => {
  const {exitCode, stdout} = await explore('--profile', '1.36.2', '--runs', '5')
  expect([exitCode, stdout]).toEqual([0, '5 histories on a kubelet 1.36.2: nothing broke what must hold.'])
})

test('repro explore --switch takes what the switch mends out of it', async () => {
  const kinds = async (...args: readonly string[]) =>
    reportOf((await explore('--runs', '15', '-o', 'json', ...args)).stdout).findings.map(({invariant}) => invariant)
  expect(await kinds()).toContain('failure-forgotten')
  expect(await kinds('--switch', '+ends-keep-exits')).not.toContain('failure-forgotten')
})

test('repro explore prints the same bytes for the same seed, and shows a finding again by the command that it names', async () => {
  const [one, other] = await Promise.all([
    explore('--seed', '7', '--runs', '3', '-o', 'json'),
    explore('--seed', '7', '--runs', '3', '-o', 'json'),
  ])
  expect(one).toEqual(other)
  for (const {command, invariant, how} of reportOf(one.stdout).findings.slice(0, 3)) {
    const [, ...args] = command.split(' ')
    const {stdout, exitCode} = await kubelimbo([...args, '-o', 'json'])
    expect(exitCode).toBe(1)
    expect(reportOf(stdout).findings).toContainEqual(expect.objectContaining({invariant, how}))
  }
})

test('repro explore --volumes finds what became of volumes, saves it, and repro plays it as expected', async () => {
  const saved = join(folder, 'volumes/')
  const {exitCode, stdout} = await explore(
    '--volumes',
    '--profile',
    '1.36.2',
    '--seed',
    '180276247',
    '--runs',
    '1',
    '--save',
    saved,
    '-o',
    'json',
  )
  expect(exitCode).toBe(1)
  const validate = new Ajv({strict: true, allErrors: true}).compile(publishedSchema('explore'))
  expect(validate(reportOf(stdout)), JSON.stringify(validate.errors?.slice(0, 3))).toBe(true)
  expect(reportOf(stdout).findings).toMatchObject([
    {invariant: 'stage-not-undone', volume: 'vol-data-0', command: expect.stringContaining('--volumes')},
  ])
  const [file = ''] = readdirSync(saved).map((name) => join(saved, name))
  expect((await kubelimbo(['repro', 'validate', file])).exitCode).toBe(0)
  expect((await kubelimbo(['repro', file])).exitCode).toBe(0)
})

test('repro explore --budget begins no history once it is spent', async () => {
  const {exitCode, stdout} = await explore('--profile', '1.36.2', '--budget', '1ms')
  expect(exitCode).toBe(0)
  expect(stdout).toMatch(/^[01] histor/)
})

test('repro explore --save writes scenarios that repro validate accepts and repro plays as expected', async () => {
  const saved = join(folder, 'found/')
  await explore('--runs', '4', '--save', saved)
  const files = readdirSync(saved).map((name) => join(saved, name))
  expect(files.length).toBeGreaterThan(3)
  expect(await printed(['repro', ...files])).toMatch(new RegExp(`\n${files.length} scenarios, .*: each as expected`))
  for (const file of files.slice(0, 2)) expect(await printed(['repro', 'validate', file])).toMatch(/reproduced on 1\.17\.3/)
  const one = join(folder, 'one.yaml')
  await explore('--runs', '4', '--save', one)
  expect(files.map((file) => readFileSync(file, 'utf8'))).toContain(readFileSync(one, 'utf8'))
})

test.each([
  [['--profile', '1.2.3'], '1.2.3'],
  [['--switch', '+nothing'], 'nothing'],
  [['--switch', '+stage-once,-stage-once'], 'stage-once is to be both'],
  [['--runs', '0'], "Cannot use --runs as it must be a whole number from 1 to 9007199254740991: it is '0'"],
  [['--seed', '-1'], "Cannot use --seed as it must be a whole number from 0 to 9007199254740991: it is '-1'"],
  [['--seed', '9007199254740992'], "it is '9007199254740992'"],
  [['--seed', '1', '--seed', '2'], 'Cannot use --seed as it must be given once: it is given again'],
  [['--budget', 'soon'], '--budget'],
  [['--budget', '0'], "Cannot use --budget as it must be at least 1ms: it is '0'"],
  [['--budget', '0.1ms'], "Cannot use --budget as it must be at least 1ms: it is '0.1ms'"],
  [['--runs', '1', '--save', '/proc/nowhere/found.yaml'], '/proc/nowhere/found.yaml'],
  [['--runs', '1', '--save', '/nowhere/found/'], '/nowhere/found/'],
  [['--runs', '1', '--save', ''], "Cannot save scenarios as --save must name a file or a folder: it is ''"],
  [['word'], 'word'],
])('repro explore %j ends with 2 and says what is wrong', async (args, named) => {
  const {exitCode, stdout, stderr} = await explore(...args)
  expect([exitCode, stdout]).toEqual([2, ''])
  expect(stderr).toContain(named)
})

test('repro explore prints all that it found when it cannot be saved, says so, and ends with 2', async () => {
  const saved = join(folder, 'taken')
  mkdirSync(saved)
  await explore('--runs', '2', '--save', saved)
  const [first = ''] = readdirSync(saved)
  writeFileSync(join(saved, first), 'mine')
  const [plain, failed] = [await explore('--runs', '2'), await explore('--runs', '2', '--save', saved)]
  expect([failed.exitCode, failed.stdout]).toEqual([2, plain.stdout])
  expect(failed.stderr).toBe(
    `kubelimbo: Cannot save scenarios as ${join(saved, first)} must be what can be written: it is there and is not written over\nhint: name another place`,
  )
  expect(readFileSync(join(saved, first), 'utf8')).toBe('mine')
})

test('repro explore that is stopped by Ctrl-C prints what it found until then, saves it, and ends with 130', async () => {
  const saved = join(folder, 'stopped/')
  const running = start(['repro', 'explore', '--runs', '1000000', '--save', saved, '-o', 'json'])
  // The folder is there when the first history begins.
  for (;;) {
    await setTimeout(50)
    if (existsSync(saved)) break
  }
  await setTimeout(2000)
  running.kill('SIGINT')
  const {exitCode, stdout, stderr} = await running
  expect([exitCode, stderr.split('\n')[0]]).toEqual([130, 'stopped: this is what was found until then'])
  const {histories, findings} = reportOf(stdout)
  expect(histories).toBeLessThan(1_000_000)
  expect(readdirSync(saved)).toHaveLength(findings.length)
})

test.each(['80', '100', '120', '160'])('repro, repro -v, repro list and repro explore keep to %s columns', async (columns) => {
  const texts = await Promise.all(
    [[], ['failed-becomes-succeeded', '-v'], ['stage-timeout-filesystem', '-v'], ['list'], ['explore', '--runs', '8']].map((args) =>
      kubelimbo(['repro', ...args], {COLUMNS: columns}),
    ),
  )
  const long = texts.flatMap(({stdout}) => stdout.split('\n')).filter((line) => width(line) > Number(columns))
  expect(long).toEqual([])
})
