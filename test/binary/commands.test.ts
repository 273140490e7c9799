import {globSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {commands} from '../../binary/commands.ts'

const folder = join(import.meta.dirname, '../../commands')

test('commands has each file of commands/ under its own name, so that the single executable lacks none', async () => {
  const files = globSync('**/*.ts', {cwd: folder}).map((file) => file.replace(/\.ts$/, '').replaceAll('/', ':'))
  expect(Object.keys(commands).sort()).toEqual(files.sort())
  for (const [id, load] of Object.entries(commands)) {
    const {default: beside} = await import(join(folder, `${id.replaceAll(':', '/')}.ts`))
    expect((await load()).default).toBe(beside)
  }
})
