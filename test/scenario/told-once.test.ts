import {expect, test} from 'vitest'
import {toldOnce} from '../../src/scenario/told-once.ts'

test.for([
  ['it is so', 'at 1 s', 'it is so: at 1 s'],
  ['the kubelet asked within 5 s', 'the kubelet asked was never seen', 'the kubelet asked was never seen'],
  ['never DELETED p', 'DELETED p was never seen', 'DELETED p was never seen'],
  ['never DELETED p', 'watch: DELETED p at 3 s', 'never DELETED p: watch: DELETED p at 3 s'],
  [
    'runtime exited p since the start',
    'runtime exited p never happened; last was another',
    'runtime exited p never happened; last was another',
  ],
  ['a call, as often as at most 1', 'a call: 3 times, not 0 to 1', 'a call: 3 times, not 0 to 1'],
] as const)('toldOnce() of %j and %j', ([what, why, says]) => {
  expect(toldOnce({what, why})).toBe(says)
})
