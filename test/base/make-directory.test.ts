import {existsSync, mkdirSync, statSync, symlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {makeDirectory, makeNamedDirectory} from '../../src/base/make-directory.ts'
import {tempDir} from '../support/socket-dir.ts'

test('makeDirectory() makes a directory with its parents, and is content with one that is there, or a link to one', async () => {
  const top = tempDir()
  await makeDirectory(join(top, 'a/b/c'), 0o700)
  await makeDirectory(join(top, 'a/b/c'), 0o700)
  expect(statSync(join(top, 'a/b/c')).mode & 0o777).toBe(0o700)
  mkdirSync(join(top, 'real'))
  symlinkSync('real', join(top, 'link'))
  await makeDirectory(join(top, 'link/x'), 0o700)
  expect(existsSync(join(top, 'real/x'))).toBe(true)
})

test('makeDirectory() comes back from where nothing can be made', async () => {
  await expect(makeDirectory('/proc/kubelimbo/x', 0o700)).rejects.toMatchObject({code: expect.stringMatching(/ENOENT|EACCES|EPERM/)})
})

test('makeNamedDirectory() says in a sentence what cannot be a directory', async () => {
  const file = join(tempDir(), 'file')
  writeFileSync(file, '')
  await expect(makeNamedDirectory(join(file, 'x'), 0o700, '--root')).rejects.toThrow(
    new RegExp(`^Cannot use --root as ${file}/x must be a directory that can be made: ENOTDIR`),
  )
})
