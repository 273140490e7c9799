import {readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {findExchange, untriedExchange} from '../../../src/proxy/takeover/exchange.ts'
import {exchangePrograms, runExchange} from '../../../src/proxy/takeover/exchange-programs.ts'
import {tempDir} from '../../support/socket-dir.ts'

const trial = ['.trial-1', '.trial-2'] as const
const two = () => {
  const directory = tempDir()
  for (const name of ['-a b', '.c']) writeFileSync(join(directory, name), name)
  return {directory, read: () => ['-a b', '.c'].map((name) => readFileSync(join(directory, name), 'utf8'))}
}

const scripts = exchangePrograms().filter(({program}) => ['perl', 'python3'].includes(program))

test.each(scripts.map((each) => [each.program, each] as const))(
  'runExchange() swaps two names by %s, whatever they begin with',
  async (_, program) => {
    const {directory, read} = two()
    await runExchange(program, directory, '-a b', '.c')
    expect(read()).toEqual(['.c', '-a b'])
    await expect(runExchange(program, directory, '-a b', 'nothing')).rejects.toMatchObject({code: 'ENOENT', missing: false})
  },
)

test.each(scripts.map((each) => [each.program, each] as const))(
  'runExchange() by %s leaves alone what is not the file that it must be',
  async (_, program) => {
    const {directory, read} = two()
    const {ino} = statSync(join(directory, '.c'), {bigint: true})
    await expect(runExchange(program, directory, '-a b', '.c', `${ino + 1n}`)).rejects.toMatchObject({code: 'ECANCELED'})
    expect(read()).toEqual(['-a b', '.c'])
    await runExchange(program, directory, '-a b', '.c', `${ino}`)
    expect(read()).toEqual(['.c', '-a b'])
  },
)

test('runExchange() tells a program that is not there', async () => {
  const none = {program: 'kubelimbo-no-such-program', args: () => [], codeOf: () => undefined}
  await expect(runExchange(none, tempDir(), 'a', 'b')).rejects.toMatchObject({code: 'ENOENT', missing: true})
})

test.each([
  ["mv: cannot exchange './a' and './b': No such file or directory", 'ENOENT'],
  ['exch: failed to exchange ./a and ./b: Permission denied', 'EACCES'],
  ['something else', undefined],
])('exchangePrograms() read %j', (stderr, code) => {
  expect(exchangePrograms('x64').map(({program}) => program)).toEqual(['mv', 'exch', 'perl', 'python3'])
  expect(exchangePrograms()[0]?.codeOf(stderr)).toBe(code)
})

test('exchangePrograms() of an architecture without a number are those that need none', () => {
  expect(exchangePrograms('pdp11').map(({program}) => program)).toEqual(['mv', 'exch'])
})

test('findExchange() finds what works and leaves nothing behind', async () => {
  const {directory, read} = two()
  writeFileSync(join(directory, trial[0]), 'of an earlier one that was killed')
  const exchange = await findExchange({directory, trial})
  await exchange?.('-a b', '.c')
  expect(read()).toEqual(['.c', '-a b'])
  expect(readdirSync(directory).sort()).toEqual(['-a b', '.c'])
})

test('untriedExchange() takes the first that can, and steps where none can', async () => {
  const {directory, read} = two()
  const none = {program: 'kubelimbo-no-such-program', args: () => [], codeOf: () => undefined}
  const old = {program: 'ls', args: () => ['--no-such-option'], codeOf: () => undefined}
  const steps: string[] = []
  const inSteps = async (one: string, other: string) => void steps.push(one, other)
  await untriedExchange(directory, inSteps, [none, old, ...scripts])('-a b', '.c')
  expect([read(), steps]).toEqual([['.c', '-a b'], []])
  await untriedExchange(directory, inSteps, [none, old])('-a b', '.c')
  expect(steps).toEqual(['-a b', '.c'])
  await expect(untriedExchange(directory, inSteps, [none, ...scripts])('-a b', 'nothing')).rejects.toMatchObject({code: 'ENOENT'})
  expect(steps).toHaveLength(2)
})

test('findExchange() does not believe a program that says it did', async () => {
  const directory = tempDir()
  const liar = {program: 'true', args: () => [], codeOf: () => undefined}
  expect(await findExchange({directory, trial, programs: [liar]})).toBeUndefined()
  expect(readdirSync(directory)).toEqual([])
})
