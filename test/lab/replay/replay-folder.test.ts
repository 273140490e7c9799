import {mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeEach, expect, test} from 'vitest'
import {replayFolder} from '../../../src/lab/replay/replay-folder.ts'

const temporary = mkdtempSync(join(tmpdir(), 'kl-'))
afterAll(() => rmSync(temporary, {recursive: true, force: true}))

const elsewhere = join(temporary, 'elsewhere')
beforeEach(() => {
  rmSync(elsewhere, {recursive: true, force: true})
  mkdirSync(elsewhere)
  writeFileSync(join(elsewhere, 'precious'), 'mine')
})

const folderAt = (dir: string) => replayFolder({dir, temporary, uid: process.getuid?.() ?? 0, longest: 1})

test('replayFolder() leaves in --dir what somebody put there meanwhile, and takes all that is its own', async () => {
  const dir = join(temporary, 'given')
  mkdirSync(dir)
  const folder = await folderAt(dir)
  mkdirSync(join(dir, 'run/empty'), {recursive: true})
  writeFileSync(join(dir, 'run/ours'), '')
  await folder.filled()
  writeFileSync(join(dir, 'theirs'), 'mine')
  writeFileSync(join(dir, 'run/theirs'), 'mine')
  await folder[Symbol.asyncDispose]()
  expect(readdirSync(dir, {recursive: true}).toSorted()).toEqual(['run', 'run/theirs', 'theirs'])
})

test.each([[true], [false]])('replayFolder() goes through no link when it takes its own away (filled: %s)', async (filled) => {
  const dir = join(temporary, 'linked')
  const folder = await folderAt(dir)
  symlinkSync(elsewhere, join(dir, 'link'))
  if (filled) await folder.filled()
  await folder[Symbol.asyncDispose]()
  expect(readdirSync(dir)).toEqual([])
  expect(readdirSync(elsewhere)).toEqual(['precious'])
})
