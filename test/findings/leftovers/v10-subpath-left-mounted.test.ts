import {expect, test} from 'vitest'
import type {Mount} from '../../../src/node/mountinfo.ts'
import type {Pod} from '../../../src/node/pod.ts'
import {findingsOf, severitiesOf} from '../../support/found.ts'
import {at, logLine, mountAt, type SnapshotParts, sandboxOf, waitingPod} from '../../support/snapshot-builder.ts'

const root = '/var/lib/kubelet'
const gone = '99999999-9999-4999-8999-999999999999'
const subpath: Mount = {...mountAt(`${root}/pods/${gone}/volume-subpaths/data/app/0`), device: '8:16', source: '/dev/sdb'}
const alive = waitingPod('web-0', 'u1', [], {phase: 'Running', configSource: 'api'})
const hour = 3600

interface Changes {
  readonly mounts?: readonly Mount[]
  readonly pods?: readonly Pod[]
  readonly more?: SnapshotParts
}

function node({mounts = [subpath], pods = [alive], more = {}}: Changes = {}): SnapshotParts {
  const uids = mounts.flatMap(({mountPoint}) => /\/pods\/([^/]+)/.exec(mountPoint)?.[1] ?? [])
  const old = [...new Set(uids)].flatMap((uid) => entries(at(0), uid))
  const sources = {
    'disk.entries': old,
    'kernel.mounts': [mountAt('/'), ...mounts],
    'kubelet.pods': pods,
    'runtime.sandboxes': [sandboxOf('web-0', 'u1')],
  }
  return {seconds: hour, ...more, sources: {...sources, ...more.sources}}
}

const entries = (modifiedAt: number, uid = gone) => [{path: `pods/${uid}`, type: 'directory', mode: 0o750, size: 0, modifiedAt} as const]

test.each([
  ['a mount of another disk', {}, ['error']],
  ["a mount of the root's own file system", {mounts: [{...subpath, device: '254:0'}]}, ['critical']],
  ['several mounts of one pod, once', {mounts: [subpath, {...subpath, mountPoint: `${subpath.mountPoint}1`}]}, ['error']],
  ['a pod of which nothing tells when it went, as info', {more: {sources: {'disk.entries': []}}}, ['info']],
  ['a pod that went a moment ago, as info', {more: {sources: {'disk.entries': entries(at(hour - 60))}}}, ['info']],
  [
    'a static pod, whose UID is a hash',
    {mounts: [{...subpath, mountPoint: `${root}/pods/${'0a'.repeat(16)}/volume-subpaths/v/c/0`}]},
    ['error'],
  ],
] as const)('V10 finds %s', (_what, changes, expected) => {
  expect(severitiesOf('V10', node(changes))).toEqual(expected)
})

const ofPod = (uid: string, more: Partial<Mount> = {}) => [
  {...subpath, mountPoint: `${root}/pods/${uid}/volume-subpaths/cfg/app/0`, ...more},
]

test.each([
  ['a pod that the kubelet knows', {mounts: ofPod('u1')}],
  ['a pod that only the runtime knows', {more: {sources: {'runtime.sandboxes': [sandboxOf('x', gone)]}}}],
  ['a pod that only the API server knows', {more: {sources: {'api.pods': [waitingPod('x', gone, [])]}}}],
  ['an empty list of pods', {pods: []}],
  ['a kubelet that has its static pods only', {pods: [{...alive, configSource: 'file'}]}],
  ['a kubelet that started half a minute ago', {more: {sources: {'kubelet.log': [logLine(hour - 30, 'Starting Kubelet Volume Manager')]}}}],
  ['a directory whose name is no UID', {mounts: ofPod('hdishd83djaidwnduwk28bcsb')}],
  ['a mount elsewhere', {mounts: [mountAt(`/srv/pods/${gone}/volume-subpaths/v/c/0`)]}],
] as const)('V10 is silent about %s', (_what, changes) => {
  expect(severitiesOf('V10', node(changes))).toEqual([])
})

test('V10 says of a living pod whose file was replaced that it sees the old one, as info', () => {
  const found = findingsOf('V10', node({mounts: ofPod('u1', {root: '/cfg/..2026/app.conf//deleted'})}))
  expect(found.map(({severity, subject}) => [severity, subject.pod])).toEqual([['info', 'web-0']])
})

test('V10 cannot be looked for without the runtime', () => {
  const parts = node()
  const {'runtime.sandboxes': _, ...sources} = parts.sources ?? {}
  expect(severitiesOf('V10', {...parts, sources})).toEqual([])
})

test('V10 never proposes to delete anything', () => {
  const commands = findingsOf('V10', node({mounts: [{...subpath, device: '254:0'}]})).flatMap(({remedy}) =>
    remedy.map(({command}) => command),
  )
  expect(commands).toEqual([`umount ${subpath.mountPoint}`])
})

test.each([
  ['a directory that changed an hour ago', {}, '2026-11-30T03:00:00Z', /leaves the directory as long as something is mounted/],
  ['a directory that nobody dated', {more: {sources: {'disk.entries': []}}}, undefined, /does not unmount what it has no volume for/],
  ['a file that was replaced', {mounts: ofPod('u1', {root: '/cfg/..2026/app.conf//deleted'})}, undefined, /follows no update/],
] as const)('V10 says since when and what the kubelet does next of %s', (_what, changes, since, words) => {
  const [found] = findingsOf('V10', node(changes))
  expect([found?.since, found?.next]).toEqual([since, expect.stringMatching(words)])
})
