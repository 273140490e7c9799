import {execFileSync} from 'node:child_process'
import fc from 'fast-check'
import {expect, test} from 'vitest'
import {quoted} from '../../src/base/shell.ts'

test.each([
  ['/var/lib/kubelet/pods/u1', '/var/lib/kubelet/pods/u1'],
  ['a b', "'a b'"],
  ["it's", String.raw`'it'\''s'`],
  ['$(rm -rf /)', "'$(rm -rf /)'"],
  ['~root', "'~root'"],
  ['', "''"],
])('quoted() of %j is %s', (text, expected) => {
  expect(quoted(text)).toBe(expected)
})

test('quoted() means the text itself to a shell', () => {
  fc.assert(
    fc.property(
      fc.string().map((text) => text.replaceAll('\0', '')),
      (text) => {
        expect(execFileSync('sh', ['-c', `printf %s ${quoted(text)}`], {encoding: 'utf8'})).toBe(text.toWellFormed())
      },
    ),
    {numRuns: 50},
  )
})
