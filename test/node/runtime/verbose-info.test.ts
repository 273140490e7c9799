import fc from 'fast-check'
import {expect, test} from 'vitest'
import {parseInfo, verboseInfo} from '../../../src/node/runtime/verbose-info.ts'

test.each<[string, unknown, object]>([
  [
    'containerd',
    {pid: 2281, runtimeType: 'io.containerd.runc.v2', config: {envs: [{key: 'A', value: 'b'}]}},
    {pid: 2281, runtime: 'io.containerd.runc.v2'},
  ],
  ['CRI-O with a handler', {pid: 7, runtimeHandler: 'crun'}, {pid: 7, runtime: 'crun'}],
  ['CRI-O with its default one', {pid: 7, runtimeHandler: ''}, {pid: 7}],
  ['containerd, of one that has ended', {pid: 0, runtimeType: 'io.containerd.runc.v2'}, {runtime: 'io.containerd.runc.v2'}],
  ['a pid that is text', {pid: '7'}, {}],
  ['a negative pid', {pid: -1}, {}],
  ['a pid that is no whole number', {pid: 1.5}, {}],
  ['cri-dockerd, which says nothing', undefined, {}],
  ['a list', [], {}],
  ['null', null, {}],
])('verboseInfo() of %s', (_what, info, expected) => {
  expect(verboseInfo(info)).toEqual(expected)
})

test('verboseInfo() keeps nothing but a pid and a runtime, whatever came', () => {
  fc.assert(
    fc.property(fc.object(), (info) => {
      expect(['pid', 'runtime']).toEqual(expect.arrayContaining(Object.keys(verboseInfo(info))))
    }),
  )
})

test.each([
  [undefined, undefined],
  ['', undefined],
  ['{"pid":', undefined],
  ['pid: 7', undefined],
  ['{"pid":7}', {pid: 7}],
])('parseInfo(%j) gives %j', (text, expected) => {
  expect(parseInfo(text)).toEqual(expected)
})
