// The table of switches in docs/kubelet-model.md is made by hand: here it is held against the code.
import {existsSync, readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {profileOf, profileVersions} from '../../src/kubelet/profiles.ts'
import type {Switch} from '../../src/kubelet/switch.ts'
import {switches} from '../../src/kubelet/switches.ts'

const notes = readFileSync(new URL('../../docs/kubelet-model.md', import.meta.url), 'utf8')
const profiles = profileVersions.map(profileOf)
const all: readonly Switch[] = Object.values(switches)

/** As the table has it. */
function rowOf({name, since, issue, unverified, why}: Switch): string {
  const number = issue.replace('kubernetes/kubernetes', '')
  const first = profiles.find((profile) => [...profile.switches].some((each) => each === name))
  const mark = (text: string, uncertain: boolean) => (uncertain ? `${text} [U]` : text)
  const cells = [
    `\`${name}\``,
    mark(since, unverified !== undefined),
    mark(number, unverified === 'since and issue'),
    first?.version ?? 'none',
    why,
  ]
  return cells.join(' | ')
}

test('docs/kubelet-model.md has a row for each switch, in their order, with what switches.ts and profiles.ts say', () => {
  const rows = notes.split('\n').filter((line) => line.startsWith('| `'))
  const cells = rows.map((row) =>
    row
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim())
      .join(' | '),
  )
  expect(cells).toEqual(all.map(rowOf))
})

test('docs/kubelet-model.md names only files that there are', () => {
  const files = [...notes.matchAll(/`((?:src|test|docs)\/[\w./-]+\.\w+)`/g)].map(([, file]) => file ?? '')
  expect(files.length).toBeGreaterThan(5)
  for (const file of files) expect(() => readFileSync(new URL(`../../${file}`, import.meta.url)), file).not.toThrow()
})

test('docs/kubelet-model.md lists parts that are files where it says, each once', () => {
  const table = notes.split('## What is modelled\n\n')[1]?.split('\n\n')[0] ?? ''
  const rows = table.split('\n').slice(2)
  const named = rows.flatMap((row) => {
    const [, , folder = '', files = ''] = row.split('|').map((cell) => cell.trim())
    return [...files.matchAll(/[a-z]+(?:-[a-z]+)*(?=[,;]|$)/g)].map(([name]) => `${folder.replaceAll('`', '')}/${name}.ts`)
  })
  expect(named.length).toBeGreaterThan(40)
  expect(new Set(named).size).toBe(named.length)
  expect(named.filter((file) => !existsSync(new URL(`../../${file}`, import.meta.url)))).toEqual([])
})
