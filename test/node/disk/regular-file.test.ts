import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {readRegularFile} from '../../../src/node/disk/regular-file.ts'
import {type Leaf, treeOf} from '../../support/tree.ts'

const limit = 64 * 1024

const rows: readonly [string, Leaf, object][] = [
  ['a file', 'text', {bytes: Buffer.from('text')}],
  ['an empty file', '', {bytes: Buffer.alloc(0)}],
  ['a file as long as the limit', Buffer.alloc(limit, 'x'), {bytes: Buffer.alloc(limit, 'x')}],
  ['one byte more', Buffer.alloc(limit + 1), {unreadable: 'it has 65537 bytes, and no more than 65536 are looked at'}],
  ['10 MB', Buffer.alloc(10_000_000), {unreadable: 'it has 10000000 bytes, and no more than 65536 are looked at'}],
  ['a directory', {directory: true}, {unreadable: 'it is a directory'}],
  ['a FIFO that nobody writes to', {fifo: true}, {unreadable: 'it is a FIFO'}],
  ['a socket', {socket: true}, {unreadable: 'it is a socket'}],
  ['a link to a file', {link: '/etc/hostname'}, {unreadable: 'it is a link, which is not followed'}],
  ['a link to itself', {link: 'x'}, {unreadable: 'it is a link, which is not followed'}],
  ['a link to nowhere', {link: 'nowhere'}, {unreadable: 'it is a link, which is not followed'}],
]

describe('readRegularFile reads', () => {
  test.each(rows)('%s', async (_, leaf, expected) => {
    expect(readRegularFile(join(await treeOf({x: leaf}), 'x'), limit)).toEqual(expected)
  })
})

test('readRegularFile reads a file that tells no size', () => {
  expect(readRegularFile('/proc/self/stat', limit)).toEqual({
    bytes: expect.toSatisfy((bytes: Uint8Array) => bytes.length > 50) as Uint8Array,
  })
})

test('readRegularFile reads no device', () => {
  expect(readRegularFile('/dev/zero', limit)).toEqual({unreadable: 'it is a device'})
})

test('readRegularFile says ENOENT where there is none', () => {
  expect(readRegularFile('/nowhere/x', limit)).toEqual({unreadable: 'ENOENT'})
})

test('readRegularFile says of a file with mode 000 that we are not allowed to, unless we are root', async () => {
  const file = readRegularFile(join(await treeOf({x: {text: 'text', mode: 0}}), 'x'), limit)
  expect(file).toEqual(process.getuid?.() === 0 ? {bytes: Buffer.from('text')} : {unreadable: 'permission denied', denied: true})
})
