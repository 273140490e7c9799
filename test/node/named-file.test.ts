import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, expect, test} from 'vitest'
import {UserError} from '../../src/base/errors.ts'
import {readNamedFile} from '../../src/node/named-file.ts'
import {makeFifo} from '../support/fifo.ts'

const folder = mkdtempSync(join(tmpdir(), 'kl-'))
afterAll(() => rmSync(folder, {recursive: true}))

const MiB = 1024 * 1024
const read = (name: string, reach = async () => undefined) =>
  readNamedFile({path: join(folder, name), what: 'the baseline', most: MiB}, reach)

test('readNamedFile() reads what is just not too large', async () => {
  writeFileSync(join(folder, 'fits'), 'é'.repeat(MiB / 2))
  expect(await read('fits')).toBe('é'.repeat(MiB / 2))
})

test.each([
  ['nothing', 'none', (_path: string) => undefined, ': there is no such file or folder'],
  ['a folder', 'folder', mkdirSync, ' as it must be a regular file: it is a folder'],
  ['a pipe without a writer', 'fifo', makeFifo, ' as it must be a regular file: it is a FIFO'],
  ['too much', 'large', (path: string) => writeFileSync(path, 'x'.repeat(MiB + 1)), ' as it must have at most 1 MiB: it is larger'],
])('readNamedFile() refuses %s in one sentence', async (_what, name, make, says) => {
  make(join(folder, name))
  await expect(read(name)).rejects.toThrow(new UserError(`Cannot read the baseline ${join(folder, name)}${says}`))
})

test('readNamedFile() opens nothing on a file system that does not answer', async () => {
  const hung = async () => {
    throw Object.assign(new Error('/mnt does not answer'), {code: 'ETIMEDOUT'})
  }
  makeFifo(join(folder, 'hung'))
  await expect(read('hung', hung)).rejects.toMatchObject({
    message: `Cannot use ${join(folder, 'hung')} as the file system that it lies on must answer: /mnt does not answer`,
    exit: 3,
  })
})
