import {existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync} from 'node:fs'
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

test('replayFolder() leaves an empty --dir as it was, and takes one that it made, with the folders above it', async () => {
  const was = join(temporary, 'was')
  mkdirSync(was, {mode: 0o755})
  for (const dir of [was, join(temporary, 'a/b/c')]) await (await folderAt(dir))[Symbol.asyncDispose]()
  expect(statSync(was).mode & 0o777).toBe(0o755)
  expect(existsSync(join(temporary, 'a'))).toBe(false)
})

test.each([[true], [false]])('replayFolder() goes through no link when it takes its own away (filled: %s)', async (filled) => {
  const dir = join(temporary, 'linked')
  const folder = await folderAt(dir)
  symlinkSync(elsewhere, join(dir, 'link'))
  if (filled) await folder.filled()
  await folder[Symbol.asyncDispose]()
  expect(existsSync(dir)).toBe(false)
  expect(readdirSync(elsewhere)).toEqual(['precious'])
})
