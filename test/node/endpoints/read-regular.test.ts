import {expect, test} from 'vitest'
import {readRegular} from '../../../src/node/endpoints/read-regular.ts'
import {treeOf} from '../../support/tree.ts'

test.each([
  ['a file', 'file', 'text'],
  ['a link to it', 'link', 'text'],
])('readRegular gives the text of %s', async (_what, name, text) => {
  const root = await treeOf({file: 'text', link: {link: 'file'}})
  expect(await readRegular(`${root}/${name}`)).toBe(text)
})

test('readRegular takes /dev/null for an empty file, and reads one of the kernel that has no size', async () => {
  expect(await readRegular('/dev/null')).toBe('')
  expect(await readRegular('/proc/self/comm')).not.toBe('')
})

test.each([
  ['a pipe that nobody writes to', '/pipe', 'it must be a regular file: it is a pipe'],
  ['a directory', '/folder', 'it must be a regular file: it is a directory'],
])('readRegular refuses %s', async (_what, path, why) => {
  const root = await treeOf({pipe: {fifo: true}, 'folder/': ''})
  await expect(readRegular(root + path)).rejects.toThrow(why)
})

test('readRegular refuses a device without an end', async () => {
  await expect(readRegular('/dev/zero')).rejects.toThrow('it must be a regular file: it is a device')
})
