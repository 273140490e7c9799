import {expect, test} from 'vitest'
import {detectors} from '../../src/findings/detectors.ts'
import {expectSilent} from '../support/examined/expect.ts'
import {healthy} from '../support/examined/healthy.ts'
import {deletesTrees, wordsOf} from '../support/examined/shell.ts'

test('check of the healthy node that is changed below looks for every code and finds nothing', () => {
  const {looked, unseen} = expectSilent(healthy())
  expect(looked).toEqual(detectors.map(({code}) => code))
  expect(unseen).toEqual([])
})

test.each([
  ["umount '/a b/c'", ['umount', '/a b/c']],
  ["umount '/it'\\''s'", ['umount', "/it's"]],
  ["umount $'/a\\u000ab'", ['umount', '/a\nb']],
  ["umount $'/a\\'b'", ['umount', "/a'b"]],
  ['umount /a; rm b', ['umount', '/a', ';', 'rm', 'b']],
])('wordsOf(%s) splits as a shell does', (command, words) => {
  expect(wordsOf(command)).toEqual(words)
})

test.each([
  ['rm -rf /a', true],
  ['rm /a && rmdir -p /r', false],
  ['sudo rm --recursive /a', true],
  ['find /a -delete', true],
  ['find /a -type d -delete', true],
  ['find /a -xdev -depth -type d -empty -delete', false],
])('deletesTrees(%s) is %s', (command, deletes) => {
  expect(deletesTrees(command)).toBe(deletes)
})
