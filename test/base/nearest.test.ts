import {expect, test} from 'vitest'
import {nearest} from '../../src/base/nearest.ts'

test.each([
  ['delet', ['create', 'delete'], 'delete'],
  ['Within', ['until', 'within'], 'within'],
  ['failed-become-succeed', ['failed-becomes-succeeded', 'deleted-before-status'], 'failed-becomes-succeeded'],
  ['at', ['a', 'after'], 'a'],
  ['x', ['create', 'delete'], undefined],
  ['completely', ['other'], undefined],
  ['', ['create'], undefined],
])('nearest() to %j of %j is %j', (word, words, found) => {
  expect(nearest(word, words)).toBe(found)
})
