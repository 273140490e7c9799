import {join} from 'node:path'
import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {codeOf, deviceText, look} from '../../../src/node/disk/look.ts'
import {type Leaf, treeOf} from '../../support/tree.ts'

const types: readonly [string, Leaf][] = [
  ['file', 'text'],
  ['directory', {directory: true}],
  ['link', {link: '/nowhere'}],
  ['fifo', {fifo: true}],
  ['socket', {socket: true}],
]

describe('look tells the type of', () => {
  test.each(types)('a %s', async (type, leaf) => {
    expect(look(join(await treeOf({x: leaf}), 'x'))).toMatchObject({facts: {type}})
  })
})

test('look tells a file by its mode, size and device, and a link by its target', async () => {
  const root = await treeOf({file: {text: '12345', mode: 0o640}, link: {link: '../a b'}})
  expect(look(join(root, 'file'))).toEqual({
    facts: {
      type: 'file',
      mode: 0o640,
      size: 5,
      modifiedAt: expect.any(Number) as number,
      device: expect.stringMatching(/^\d+:\d+$/) as string,
    },
  })
  expect(look(join(root, 'link'))).toMatchObject({facts: {type: 'link', target: '../a b'}})
})

test.each([
  ['ENOENT', '/nowhere/at/all'],
  ['ENOTDIR', '/etc/hostname/x'],
  ['ENAMETOOLONG', `/${'x'.repeat(256)}`],
  ['ERR_INVALID_ARG_VALUE', '/a\0b'],
])('look says %s', (code, path) => {
  expect(look(path)).toEqual({code})
})

test('deviceText takes a number apart as the C library puts it together', () => {
  const makedev = (major: bigint, minor: bigint) =>
    ((major & 0xfffn) << 8n) | ((major & ~0xfffn) << 32n) | (minor & 0xffn) | ((minor & ~0xffn) << 12n)
  fc.assert(
    fc.property(fc.bigInt(0n, 0xffffffn), fc.bigInt(0n, 0xffffffffn), (major, minor) => {
      // Beyond 2^53 a number is not exact, and no kernel has majors so large.
      fc.pre(makedev(major, minor) < 2n ** 53n)
      expect(deviceText(Number(makedev(major, minor)))).toBe(`${major}:${minor}`)
    }),
  )
  expect([deviceText(0xfe00), deviceText(6), deviceText(0x800011)]).toEqual(['254:0', '0:6', '0:2065'])
})

test.each([
  ['ESTALE', {errno: -116, code: 'Unknown system error -116'}],
  ['EUCLEAN', {errno: -117, code: 'Unknown system error -117'}],
  ['ENOTCONN', {errno: -107, code: 'ENOTCONN'}],
  ['Unknown system error -133', {errno: -133, code: 'Unknown system error -133'}],
  ['UNKNOWN', new Error('what is no error of the system')],
])('codeOf names %s, as the kernel does', (code, error) => {
  expect(codeOf(error)).toBe(code)
})
