import {expect, test} from 'vitest'
import type {ContainerState, Pod} from '../../../src/node/pod.ts'
import {findingsOf} from '../../support/brief-findings.ts'
import {atRuntime, ended, fallback, job, jobPod, madeUpSuccess, main, other, recordOf, running} from '../../support/ended-pods.ts'
import {type SmallNode, smallNode, together} from '../../support/small-node.ts'
import {at} from '../../support/snapshot-builder.ts'

type Change = (node: SmallNode) => unknown

const says = (phase: string, containers: readonly ContainerState[], more: Partial<Pod> = {}): Change => {
  return (node) => node.pods.push(jobPod(containers, {phase, ...more}))
}
const apiSays = (phase: string, containers: readonly ContainerState[], more: Partial<Pod> = {}): Change => {
  return (node) => Object.assign(node, {apiPods: [...node.pods.filter(({uid}) => uid !== job), jobPod(containers, {phase, ...more})]})
}
const runs = (created = -3600, id = main, name = 'main') => atRuntime(recordOf('RUNNING', created, id, name))
const exited = (exitCode: number, id = main) => atRuntime(recordOf('EXITED', -3600, id), {exitCode, finished: -60})
const look =
  (process: 'gone' | 'zombie'): Change =>
  (node) => {
    node.looks[main] = {process: {state: process}, runtime: 'io.containerd.runc.v2'}
  }
const found = (changes: readonly Change[]) => findingsOf(smallNode(together(...changes))).filter(({code}) => code === 'P04')

test.each<[string, readonly Change[], string, string | undefined, RegExp]>([
  [
    'Succeeded with a container that failed (#58711)',
    [says('Succeeded', [ended(1, -60)])],
    'error',
    undefined,
    /it is Succeeded although main ended with exit 1\.$/,
  ],
  ['Succeeded with one that failed, at the API server alone', [apiSays('Succeeded', [ended(2, -60)])], 'error', undefined, /with exit 2/],
  ['Succeeded with an end that is made up', [says('Succeeded', [fallback])], 'error', 'P03', /although main ended with exit 137/],
  [
    'ended a minute ago, and the container runs',
    [says('Failed', [ended(1, -60)]), runs()],
    'error',
    undefined,
    /it is Failed, and the runtime runs main/,
  ],
  ['ended by a made-up end, and the container runs', [says('Failed', [madeUpSuccess]), runs()], 'error', 'P03', /the runtime runs main/],
  [
    'ended, its grace is over, and the container runs',
    [says('Failed', [running()], {deletedAt: at(-20)}), runs()],
    'warning',
    undefined,
    /its grace ended 20s ago/,
  ],
  [
    'ended before it was deleted with no grace, and the grace of its containers is over',
    [says('Failed', [running()], {deletedAt: at(-60), graceMs: 0, ownGraceMs: 30_000}), runs()],
    'warning',
    undefined,
    /its grace ended 30s ago/,
  ],
  [
    'ended before it was deleted with no grace, which its containers still have',
    [says('Failed', [running()], {deletedAt: at(-40), graceMs: 0, ownGraceMs: 30_000}), runs()],
    'info',
    undefined,
    /perhaps within its grace/,
  ],
  [
    'ended by its deadline, and the container runs, perhaps within its grace',
    [says('Failed', [running()], {reason: 'DeadlineExceeded'}), runs()],
    'info',
    undefined,
    /perhaps within its grace/,
  ],
  [
    'Failed at the kubelet, Succeeded at the API server',
    [says('Failed', [ended(1, -60)]), apiSays('Succeeded', [ended(0, -60)])],
    'warning',
    undefined,
    /Failed by the kubelet and Succeeded by the API/,
  ],
  [
    'ended with another exit than the runtime has',
    [says('Failed', [ended(1, -60)]), exited(0)],
    'error',
    undefined,
    /exit 1 by its status and with exit 0 by the runtime/,
  ],
  [
    'restarted, after another exit than the runtime has',
    [says('Running', [{...running('main', {containerId: other}), last: {exitCode: 1, containerId: main, finishedAt: at(-60)}}]), exited(0)],
    'error',
    undefined,
    /exit 1 by its status and with exit 0/,
  ],
])('P04 finds a pod that %s', (_what, changes, severity, cause, sentence) => {
  const findings = found(changes)
  expect(findings.map((each) => [each.severity, each.subject.uid, each.cause?.code])).toEqual([[severity, job, cause]])
  expect(findings[0]?.message).toMatch(sentence)
})

test.each<[string, readonly Change[]]>([
  ['is Failed although all ended well, as it was evicted', [says('Failed', [ended(0, -60)], {reason: 'Evicted'})]],
  ['is Failed although all ended well, as its deadline passed', [says('Failed', [ended(0, -60)], {reason: 'DeadlineExceeded'})]],
  [
    'succeeded at the second try',
    [says('Succeeded', [{...ended(0, -60), last: {exitCode: 1, containerId: other, finishedAt: at(-90)}}], {restartPolicy: 'OnFailure'})],
  ],
  ['succeeded, and a signal ended its sidecar', [says('Succeeded', [ended(0, -60), ended(143, -50, {name: 'proxy', kind: 'init'})])]],
  ['succeeded by a restart rule of its own', [says('Succeeded', [ended(42, -60)], {ownRestarts: ['main']})]],
  ['is Running while all have ended, as happens on the way', [says('Running', [ended(0, -2)])]],
  [
    'has ended, and its sidecar runs for its grace',
    [says('Succeeded', [ended(0, -60), running('proxy', {kind: 'init', containerId: other})]), runs(-3600, other, 'proxy')],
  ],
  ['ended seconds ago, and the list is older', [says('Failed', [ended(1, -10)]), runs()]],
  ['ended, and another container of the name runs', [says('Failed', [ended(1, -60)]), runs(-300, other)]],
  ['ended, and the running record has no process', [says('Failed', [ended(1, -60)]), runs(), look('gone')]],
  ['ended, and the process waits to be reaped', [says('Failed', [ended(1, -60)]), runs(), look('zombie')]],
  [
    'ended, and only the list has it running',
    [says('Failed', [ended(1, -60)]), runs(), (node) => node.without.push('runtime.container-status')],
  ],
  ['has ended, and its container is seconds old', [says('Failed', [running()]), runs(-10)]],
  ['is static, and starts again with its UID', [says('Failed', [running()], {staticUid: job}), runs()]],
  ['has ended at the kubelet, and the API server hears of it late', [says('Failed', [ended(1, -5)]), apiSays('Running', [running()])]],
  ['ended as the runtime says, too', [says('Failed', [ended(1, -60)]), exited(1)]],
  ['has a made-up end, which is P03', [says('Failed', [{...fallback, containerId: main}]), exited(0)]],
  ['is one of another node', [apiSays('Succeeded', [ended(1, -60)], {nodeName: 'n2'})]],
])('P04 is silent about a pod that %s', (_what, changes) => {
  expect(found(changes)).toEqual([])
})

test('P04 tells a pod once, with all that is wrong of it and who says it', () => {
  const both = [says('Succeeded', [ended(1, -60)]), apiSays('Succeeded', [ended(1, -60)]), exited(0)]
  const [finding, ...others] = found(both)
  expect(others).toEqual([])
  expect(finding?.message).toBe(
    'default/job-0: it is Succeeded although main ended with exit 1; ' +
      'main ended with exit 1 by its status and with exit 0 by the runtime, which still has the same container.',
  )
  expect([...new Set(finding?.evidence.map(({source}) => source))]).toEqual(['kubelet.pods', 'api.pods', 'runtime.container-status'])
  expect(finding?.since).toBeUndefined()
})

test('P04 tells since when a container is said to have ended that runs', () => {
  expect(found([says('Failed', [ended(1, -60)]), runs()]).map(({since}) => since)).toEqual(['2026-11-30T02:59:00Z'])
})
