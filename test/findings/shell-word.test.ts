import {execFileSync} from 'node:child_process'
import fc from 'fast-check'
import {expect, test} from 'vitest'
import {shellWord} from '../../src/findings/shell-word.ts'

test.each([
  ['/var/lib/kubelet/pods/u1/volumes/kubernetes.io~csi/pv1', '/var/lib/kubelet/pods/u1/volumes/kubernetes.io~csi/pv1'],
  ['/a b', `'/a b'`],
  ["/it's", `'/it'\\''s'`],
  ['/a;rm -r $HOME', `'/a;rm -r $HOME'`],
  ['-rf', `'-rf'`],
  ['~root', `'~root'`],
  ['', `''`],
  ['/a\nb', `$'/a\\u000ab'`],
])('shellWord(%j) is %s', (text, word) => {
  expect(shellWord(text)).toBe(word)
})

test('shellWord() stays one word of a real shell', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', ' ', "'", '"', '\\', '$', '`', '\n', '\t', '*', ';', '~', '!', 'ü', '#'),
    maxLength: 12,
  })
  fc.assert(
    fc.property(fc.array(text, {minLength: 20, maxLength: 20}), (texts) => {
      const script = `printf '%s\\0' ${texts.map(shellWord).join(' ')}`
      const env = {...process.env, LC_ALL: 'C.UTF-8'}
      expect(execFileSync('bash', ['-c', script], {encoding: 'utf8', env}).split('\0').slice(0, -1)).toEqual(texts)
    }),
    {numRuns: 10},
  )
})
