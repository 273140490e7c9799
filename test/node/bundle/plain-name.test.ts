import {posix} from 'node:path'
import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {plainName} from '../../../src/node/bundle/plain-name.ts'

describe('plainName()', () => {
  test.each([
    ['a', 'a'],
    ['./a', 'a'],
    ['a/b/', 'a/b'],
    ['a//b', 'a/b'],
    ['a/./b', 'a/b'],
    ['./', ''],
    ['..a/b..', '..a/b..'],
    ['a b#c', 'a b#c'],
    ['/a', undefined],
    ['..', undefined],
    ['a/../b', undefined],
    ['a\\b', undefined],
    ['a\0', undefined],
  ])('plainName() of %j is %j', (name, expected) => {
    expect(plainName(name)).toBe(expected)
  })

  test('plainName() never leads out', () => {
    fc.assert(
      fc.property(fc.string({unit: fc.constantFrom('/', '.', '..', 'a', '\\', '\0')}), (name) => {
        const plain = plainName(name)
        if (plain !== undefined) expect(posix.join('/top', plain)).toMatch(/^\/top(\/|$)/)
      }),
    )
  })
})
