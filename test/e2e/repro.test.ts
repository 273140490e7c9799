import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, describe, expect, test} from 'vitest'
import {parse} from 'yaml'
import {reproOutputs} from '../../src/render/repro-output.ts'
import {junitErrors} from '../support/junit-schema.ts'
import {kubelimbo, printed} from '../support/kubelimbo.ts'

const folder = mkdtempSync(join(tmpdir(), 'kl-'))
afterAll(() => rmSync(folder, {recursive: true}))

const file = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const one = 'failed-becomes-succeeded'
const written = readFileSync(`fixtures/scenarios/${one}.yaml`, 'utf8')

test('npm start shows each bug before and after its fix', async () => {
  const {scripts} = (await import('../../package.json', {with: {type: 'json'}})).default
  const [node, bin, ...args] = scripts.start.split(' ')
  expect([node, bin]).toEqual(['node', 'bin/kubelimbo.js'])
  const {stdout, stderr, exitCode} = await kubelimbo(args)
  expect([stderr, exitCode]).toEqual(['', 0])
  for (const name of [
    'reason-cache-blocks-deletion',
    'deleted-before-status',
    'terminal-pod-still-running',
    'fallback-exit-137',
    'failed-becomes-succeeded',
    'success-without-status',
  ]) {
    expect(stdout).toMatch(new RegExp(`^${name} +A\\d +reproduced +fixed `, 'm'))
  }
  expect(stdout).toMatch(/: each as expected \(seed 1\)\n?$/)
})

const readers: Readonly<Record<(typeof reproOutputs)[number], (text: string) => unknown>> = {
  table: (text) => expect(text).toMatch(/^SCENARIO +LABEL +1\.17\.3/),
  json: (text) => expect(JSON.parse(text)).toMatchObject({kind: 'ReproReport'}),
  yaml: (text) => expect(parse(text)).toMatchObject({kind: 'ReproReport'}),
  junit: async (text) => expect(await junitErrors(text)).toEqual([]),
  tap: (text) => expect(text).toMatch(/^TAP version 13\n1\.\.\d+\n/),
  html: (text) => expect(text).toMatch(/^<!doctype html>/),
}

describe.each([
  {what: 'as expected', args: [one], exit: 0},
  {what: 'not as expected', args: [one, '--switch', '+ends-keep-exits'], exit: 1},
  {what: 'of nobody', args: ['nobody'], exit: 2},
])('repro $what', ({args, exit}) => {
  test.each(reproOutputs)('repro -o %s ends with its code, with and without -v, and so does --json', async (output) => {
    const [brief, verbose, json] = await Promise.all([
      kubelimbo(['repro', ...args, '-o', output]),
      kubelimbo(['repro', ...args, '-o', output, '-v']),
      kubelimbo(['repro', ...args, '-o', output, '--json']),
    ])
    expect([brief.exitCode, verbose.exitCode, json.exitCode]).toEqual([exit, exit, exit])
    if (exit === 2) return expect([brief.stdout, verbose.stdout, json.stdout]).toEqual(['', '', ''])
    await readers[output](brief.stdout)
    await readers[output](verbose.stdout)
    readers.json(json.stdout)
  })
})

test.each([
  [['repro', 'failed-become-succeeded'], "hint: 'failed-becomes-succeeded' may be meant"],
  [['repro', '--profile', '1.2.3'], "Cannot use the profile as it must be one of 1.17.3, 1.18.2, 1.21.2, 1.26.5, 1.36.2: it is '1.2.3'"],
  [['repro', '--switch', '+ends'], "Cannot use --switch as it must name a switch of the kubelet: it is 'ends'"],
  [['repro', '--seed', 'x'], "Cannot use --seed as it must be a whole number from 0 to 9007199254740991: it is 'x'"],
  [['repro', './none.yaml'], 'Cannot read scenario ./none.yaml as it must be a file that can be read: ENOENT'],
  [['repro', 'show', 'nobody'], 'Cannot find the scenario as it must be one of '],
])('kubelimbo %j says what is wrong, and ends with 2', async (args, says) => {
  const {stdout, stderr, exitCode} = await kubelimbo(args)
  expect([stdout, exitCode]).toEqual(['', 2])
  expect(stderr).toContain(says)
})

test('repro validate tells all that is wrong with a file, each with its line', async () => {
  const path = file('bad.yaml', written.replace('label: A4', 'label: 4').replace('until: 60s', 'until: soon'))
  const {stdout, stderr, exitCode} = await kubelimbo(['repro', 'validate', path])
  expect([stdout, exitCode]).toEqual(['', 2])
  const place = (line: number) => `(${path}:${line})`
  expect(stderr.split('\n')).toEqual([
    `kubelimbo: Cannot read scenario ${one} as 'label' must be a text: it is 4 ${place(4)}`,
    `kubelimbo: Cannot read scenario ${one} as 'until' must be a duration such as 10s or 1m30s: it is 'soon' ${place(written.split('\n').indexOf('until: 60s') + 1)}`,
  ])
  const played = await kubelimbo(['repro', path])
  expect([played.stdout, played.exitCode]).toEqual(['', 2])
  expect(played.stderr).toContain(`hint: \`kubelimbo repro validate ${path}\` shows all`)
})

test('repro validate says all where there is only a default, and shows controls as text', async () => {
  const text = written.replace('label: A4', 'label: "A\\0\\x1b[31m"').replace(/^expect:\n.*?(?= {2}default:)/ms, 'expect:\n')
  const path = file('hostile.yaml', text)
  expect(await printed(['repro', 'validate', path])).toBe(`${path} is the scenario ${one} (A\\x00\\x1b[31m): fixed on all`)
})

test('repro show prints a scenario as it is written, and a copy of it is played as well', async () => {
  const text = await printed(['repro', 'show', one])
  expect(`${text}\n`).toBe(written)
  const path = file('mine.yaml', text)
  expect(await printed(['repro', 'validate', path])).toBe(
    `${path} is the scenario ${one} (A4): reproduced on 1.17.3; fixed on 1.36.2, all others`,
  )
  expect((await kubelimbo(['repro', path])).exitCode).toBe(0)
})

test('repro list has each scenario once', async () => {
  const [table, json] = [await printed(['repro', 'list']), JSON.parse(await printed(['repro', 'list', '-o', 'json']))]
  expect(json).toMatchObject({apiVersion: 'kubelimbo/v1', kind: 'ScenarioList'})
  const names = json.items.map(({name}: {readonly name: string}) => name)
  expect(names).toContain(one)
  expect(
    table
      .split('\n')
      .slice(1)
      .map((line) => line.split(' ')[0]),
  ).toEqual(names)
})

test('repro says the same in each process, to the byte', async () => {
  const few = ['reason-cache-blocks-deletion', 'deleted-before-status', 'fallback-exit-137']
  const texts = await Promise.all(Array.from({length: 8}, () => printed(['repro', ...few, '-v', '-o', 'json'])))
  expect(new Set(texts).size).toBe(1)
})
