// The rules that src/kubelet keeps: a switch is read in one place, versions are compared in one, and no scenario is known.
import {readdirSync, readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {switches} from '../../src/kubelet/switches.ts'

const root = new URL('../../src/kubelet/', import.meta.url)
const sources = readdirSync(root, {recursive: true, encoding: 'utf8'})
  .filter((file) => file.endsWith('.ts'))
  .map((file) => ({file, text: withoutComments(readFileSync(new URL(file, root), 'utf8'))}))

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '')
}

const filesWith = (pattern: RegExp) => sources.flatMap(({file, text}) => [...text.matchAll(pattern)].map(() => file))

test.each(Object.values(switches).map(({name}) => name))('%s is read in exactly one place of src/kubelet', (name) => {
  const mentions = filesWith(new RegExp(`['"\`]${name}['"\`]`, 'g')).filter((file) => !file.endsWith('switches.ts'))
  expect(mentions).toHaveLength(1)
  expect(filesWith(new RegExp(`switches\\.has\\('${name}'\\)`, 'g'))).toEqual(mentions)
})

test('no file of src/kubelet but profiles.ts has or compares a version', () => {
  const others = (pattern: RegExp) => filesWith(pattern).filter((file) => file !== 'profiles.ts' && !file.endsWith('switches.ts'))
  expect(others(/['"`]v?1\.\d+(\.\d+)?['"`]/g)).toEqual([])
  expect(others(/profile\.version|compareVersions|profileOf\(|profileNearest\(/g)).toEqual([])
})

test('no file of src/kubelet names a scenario', () => {
  const folder = new URL('../../fixtures/scenarios/', import.meta.url)
  const scenarios = readdirSync(folder).map((file) => file.replace(/\.yaml$/, ''))
  expect(scenarios.length).toBeGreaterThan(0)
  expect(filesWith(new RegExp(`\\b(${scenarios.join('|')})\\b`, 'g'))).toEqual([])
})
