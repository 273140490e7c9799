import {mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {Ajv} from 'ajv'
import {afterAll, expect, test} from 'vitest'
import type {ExploreReport} from '../../src/scenario/explore/explore-report.ts'
import {kubelimbo, printed} from '../support/kubelimbo.ts'

const folder = mkdtempSync(join(tmpdir(), 'kl-'))
afterAll(() => rmSync(folder, {recursive: true}))

const explore = (...args: readonly string[]) => kubelimbo(['repro', 'explore', ...args])
const reportOf = (text: string) => JSON.parse(text) as ExploreReport

test('repro explore tells on stderr what it comes across, prints a report of the published shape, and ends with 1', async () => {
  const {exitCode, stdout, stderr} = await explore('--runs', '5', '-o', 'json')
  expect(exitCode).toBe(1)
  expect(stderr).toMatch(/^history \d: container \w is told to have ended with 0 /)
  const validate = new Ajv({strict: true, allErrors: true}).compile(JSON.parse(readFileSync('fixtures/schema/explore.json', 'utf8')))
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
  const validate = new Ajv({strict: true, allErrors: true}).compile(JSON.parse(readFileSync('fixtures/schema/explore.json', 'utf8')))
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
  [['--runs', '0'], '--runs'],
  [['--budget', 'soon'], '--budget'],
  [['--runs', '1', '--save', '/proc/nowhere/found.yaml'], '/proc/nowhere/found.yaml'],
  [['--runs', '1', '--save', '/nowhere/found/'], '/nowhere/found/'],
  [['word'], 'word'],
])('repro explore %j ends with 2 and says what is wrong', async (args, named) => {
  const {exitCode, stdout, stderr} = await explore(...args)
  expect([exitCode, stdout]).toEqual([2, ''])
  expect(stderr).toContain(named)
})
