import {describe, expect, test} from 'vitest'
import {UserError} from '../../../src/base/errors.ts'
import {parseQuestion, type Question} from '../../../src/findings/why/question.ts'

const asked: readonly [words: string, question: Question][] = [
  ['default/web-0', {kind: 'pod', namespace: 'default', name: 'web-0'}],
  ['web-0', {kind: 'pod', namespace: undefined, name: 'web-0'}],
  ['pod/web-0', {kind: 'pod', namespace: undefined, name: 'web-0'}],
  ['pod default/web-0', {kind: 'pod', namespace: 'default', name: 'web-0'}],
  ['PVC default/data', {kind: 'claim', namespace: 'default', name: 'data'}],
  ['pvc default/data', {kind: 'claim', namespace: 'default', name: 'data'}],
  ['persistentvolumeclaim default/data', {kind: 'claim', namespace: 'default', name: 'data'}],
  ['/var/lib/kubelet/pods/u1', {kind: 'path', path: '/var/lib/kubelet/pods/u1'}],
  ['/var/lib/kubelet//', {kind: 'path', path: '/var/lib/kubelet'}],
  ['/', {kind: 'path', path: '/'}],
]

describe('parseQuestion()', () => {
  test.each(asked)("parseQuestion() understands '%s'", (words, question) => {
    expect(parseQuestion(words.split(' '))).toEqual(question)
  })

  test.each([
    ['', "it is ''"],
    ['a/b/c', "it is 'a/b/c'"],
    ['/x y', "its first word is '/x'"],
    ['node n1', "its first word is 'node'"],
    ['PVC data', "must be NAMESPACE/NAME: it is 'data'"],
    ['PVC a/b/c', "must be NAMESPACE/NAME: it is 'a/b/c'"],
    ['PVC /data', "must be NAMESPACE/NAME: it is '/data'"],
    ['default/', "it is 'default/'"],
    ['constructor x', "its first word is 'constructor'"],
    ['a b c', 'it has 3 words'],
  ])("parseQuestion() refuses '%s'", (words, why) => {
    expect(() => parseQuestion(words.split(' '))).toThrow(UserError)
    expect(() => parseQuestion(words.split(' '))).toThrow(why)
  })
})
