import {chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {saveFile, saveTarget} from '../../../../src/scenario/explore/save/target.ts'

const folder = mkdtempSync(join(tmpdir(), 'kl-'))
const at = (name: string) => join(folder, name)

beforeAll(() => {
  mkdirSync(at('there'))
  writeFileSync(at('file'), 'mine')
  symlinkSync(at('nothing'), at('dangling'))
  symlinkSync(at('file'), at('link'))
  symlinkSync(at('there'), at('link-to-folder'))
})
afterAll(() => rmSync(folder, {recursive: true}))

test.each([
  ['a file that is not there', 'new.yaml', false],
  ['a folder that is there', 'there', true],
  ['the same with a slash', 'there/', true],
  ['a link to a folder', 'link-to-folder', true],
  ['a folder that is not there', 'made/', true],
])('saveTarget() takes %s, and leaves nothing in it', async (_, name, isFolder) => {
  expect(await saveTarget(at(name))).toEqual({path: at(name), isFolder})
  expect(readdirSync(folder)).not.toContain('new.yaml')
  if (isFolder) expect(readdirSync(at(name))).toEqual([])
})

test.each([
  ['nothing', '', "name a file or a folder: it is ''"],
  ['blanks', '  ', 'name a file or a folder'],
  ['a NUL', 'a\0b', 'there is a NUL in'],
  ['the root', '/', "not be the root of the file system: it is '/'"],
  ['the root by another name', '/tmp/..//', 'not be the root of the file system'],
  ['a place where nobody writes', '/proc', '/proc must be what can be written'],
  ['a file in it', '/proc/found.yaml', '/proc/found.yaml must be what can be written'],
  ['a folder in a folder that is not there', at('none/found/'), 'must be what can be written: its folder is not there'],
  ['a file in one', at('none/found'), 'must be what can be written: its folder is not there'],
  ['a file in a file', at('file/found'), 'must be what can be written: a part of its path is no folder'],
  ['a file that is there', at('file'), 'is there and is not written over'],
  ['a file as a folder', at('file/'), 'be a folder when it ends in /'],
  ['a link to a file', at('link'), 'is a link'],
  ['a link to nothing', at('dangling'), 'not be a link to what is not there'],
  ['a device', '/dev/null', 'is there and is not written over'],
  ['a name that is too long', at('a'.repeat(300)), 'its name is too long'],
])('saveTarget() refuses %s', async (_, path, says) => {
  await expect(saveTarget(path)).rejects.toThrow(says)
  expect(readFileSync(at('file'), 'utf8')).toBe('mine')
})

test('saveTarget() refuses a folder that it may not write to', async () => {
  mkdirSync(at('locked'))
  chmodSync(at('locked'), 0o555)
  // Root may write anywhere: it tries as nobody.
  const nobody = 65_534
  const root = process.geteuid?.() === 0
  if (root) {
    for (const folder of [at('.'), at('locked')]) chmodSync(folder, 0o555)
    process.seteuid?.(nobody)
  }
  try {
    await expect(saveTarget(at('locked'))).rejects.toThrow('permission denied')
  } finally {
    if (root) process.seteuid?.(0)
    chmodSync(at('.'), 0o755)
  }
})

test('saveFile() writes a new file, takes one that says the same, and writes over no other', async () => {
  await saveFile(at('saved'), 'text')
  await saveFile(at('saved'), 'text')
  await expect(saveFile(at('saved'), 'other')).rejects.toThrow('it is there and is not written over')
  expect(readFileSync(at('saved'), 'utf8')).toBe('text')
})

test.each(['link', 'dangling'])('saveFile() does not follow the %s', async (name) => {
  await expect(saveFile(at(name), 'mine')).rejects.toThrow('it is there and is not written over')
  expect(readdirSync(folder)).not.toContain('nothing')
})
