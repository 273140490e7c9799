import * as v from 'valibot'
import {expect, test} from 'vitest'
import {check} from '../../../src/scenario/expect/check.ts'
import {expectationWords} from '../../../src/scenario/expect/expectation-words.ts'
import {expectationSchema} from '../../../src/scenario/schema/expectation.ts'
import {disk, recordOf, step} from '../../support/run-record.ts'

const target = '/var/lib/kubelet/pods/u/volumes/kubernetes.io~csi/pv/mount'

const record = recordOf([
  disk(1, 'made', target),
  disk(2, 'mounted', target),
  step(5, 'delete default/p'),
  disk(10, 'unmounted', target),
  disk(10, 'removed', '/var/lib/kubelet/pods/u'),
])

const expectationOf = (given: unknown) => v.parse(expectationSchema, given)
const checked = (given: unknown) => check(expectationOf(given), record)
const onDisk = (is: string, path = 'pods/*/volumes/**/mount') => ({path, is})

test.each([
  ['present at a moment', {onDisk: onDisk('present'), at: '1s'}, true, 'present at 1 s: '],
  ['mounted before it is', {onDisk: onDisk('mounted'), at: '1s'}, false, 'nothing such was there'],
  ['mounted once it is', {onDisk: onDisk('mounted'), at: '2s'}, true, target],
  ['mounted when a step was done', {onDisk: onDisk('mounted'), at: {step: 'delete'}}, true, 'mounted at 5 s'],
  ['absent while it is there', {onDisk: onDisk('absent'), at: '9s'}, false, target],
  ['absent in the end', {onDisk: onDisk('absent')}, true, 'absent in the end'],
  ['present in the end', {onDisk: onDisk('present', 'pods')}, true, '/var/lib/kubelet/pods'],
  ['mounted between two changes of one moment', {onDisk: onDisk('present', 'pods/u'), at: {disk: 'unmounted', path: '**'}}, true, 'pods/u'],
  ['at a moment that never came', {onDisk: onDisk('absent'), at: {step: 'create'}}, false, 'never'],
])('check() of what is %s', (_, given, held, why) => {
  const judged = checked(given)
  expect(judged.held).toBe(held)
  expect(judged.why).toContain(why)
})

test('check() finds what became of a path', () => {
  const mounted = {disk: 'mounted', path: 'pods/*/volumes/**'}
  expect(checked({ordered: [{disk: 'made', path: 'pods/**', entry: 'directory'}, mounted, {disk: 'removed', path: 'pods/u'}]}).held).toBe(
    true,
  )
  expect(checked({eventually: {...mounted, entry: 'device'}})).toMatchObject({
    held: false,
    why: 'device pods/*/volumes/** mounted never happened; last was disk: mounted directory /var/lib/kubelet/pods/u/volumes/kubernetes.io~csi/pv/mount at 2 s',
  })
})

test('expectationWords() of what is on the disk', () => {
  expect(expectationWords(expectationOf({onDisk: onDisk('absent', 'pods/*')}))).toBe('pods/* absent on the disk in the end')
  expect(expectationWords(expectationOf({onDisk: onDisk('absent', 'pods/*'), at: '5s'}))).toBe('pods/* absent on the disk at 5 s')
})
