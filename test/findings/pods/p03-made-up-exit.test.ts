import {expect, test} from 'vitest'
import type {ContainerState, Pod} from '../../../src/node/pod.ts'
import {findingsOf} from '../../support/brief-findings.ts'
import {atRuntime, ended, fallback, job, jobPod, madeUpSuccess, main, other, recordOf, running} from '../../support/ended-pods.ts'
import {type SmallNode, smallNode, together} from '../../support/small-node.ts'
import {at} from '../../support/snapshot-builder.ts'

type Change = (node: SmallNode) => unknown

const says = (containers: readonly ContainerState[], more: Partial<Pod> = {}): Change => {
  return (node) => node.pods.push(jobPod(containers, {phase: 'Failed', ...more}))
}
const apiSays = (containers: readonly ContainerState[]): Change => {
  return (node) => Object.assign(node, {apiPods: [...node.pods.filter(({uid}) => uid !== job), jobPod(containers)]})
}
const exited = (exitCode: number, id = main, created = -3600) =>
  atRuntime(recordOf('EXITED', created, id), {exitCode, finished: created + 60})
const found = (changes: readonly Change[], version?: string) =>
  findingsOf(smallNode(together(...changes)), version).filter(({code}) => code === 'P03')

const withId = {...fallback, containerId: main}
const lost: ContainerState = {...running('main', {containerId: other}), last: {exitCode: 137, reason: 'ContainerStatusUnknown'}}

test.each<[string, readonly Change[], string, RegExp]>([
  ['a success without anything', [says([madeUpSuccess])], 'error', /ended with exit 0, without a reason.*unverifiable/],
  ['a success around which the id is left', [says([{...madeUpSuccess, containerId: main}]), exited(1)], 'error', /ended with exit 1/],
  ['a success of a container without a name (#92368)', [says([{...madeUpSuccess, name: ''}])], 'error', /a container without a name/],
  ['a success of an init container', [says([{...madeUpSuccess, kind: 'init'}])], 'error', /exit 0/],
  [
    'a success of a container that runs',
    [says([madeUpSuccess]), atRuntime(recordOf('RUNNING', -60))],
    'error',
    /The runtime says that it runs/,
  ],
  ['a success that the API server alone tells', [says([ended(1, -60)]), apiSays([madeUpSuccess])], 'error', /^The API server says/],
  ['a fallback', [says([withId])], 'warning', /137, ContainerStatusUnknown.*unverifiable/],
  ['a fallback without any trace of a container', [says([fallback])], 'info', /137, ContainerStatusUnknown.*seems never to have run/],
  ['a fallback of a container that was restarted', [says([{...fallback, restarts: 1}])], 'warning', /unverifiable/],
  [
    'a fallback whose record is there (#104107)',
    [says([withId]), exited(0)],
    'warning',
    /The runtime says that it ended with exit 0, Completed/,
  ],
  ['a fallback of which only the name is known', [says([fallback]), exited(3), exited(5, other, -1800)], 'warning', /with exit 5/],
  ['a fallback whose record is gone, beside one of its name', [says([withId]), exited(5, other)], 'warning', /unverifiable/],
  [
    'a fallback of the container before',
    [says([lost]), exited(4), atRuntime(recordOf('RUNNING', -60, other))],
    'warning',
    /the one before container main.*exit 4/,
  ],
])('P03 finds %s', (_what, changes, severity, sentence) => {
  const findings = found(changes)
  expect(findings.map((each) => [each.severity, each.subject.podUid, each.cause])).toEqual([[severity, job, null]])
  expect(findings[0]?.message).toMatch(sentence)
})

test.each<[string, ContainerState]>([
  ['a real success', ended(0, -60)],
  ['a container that was created and never started, as 1.18 to 1.22 show it', {...madeUpSuccess, terminatedId: main}],
  [
    'a success of 1.36 that only an init container can have',
    {...madeUpSuccess, kind: 'init', reason: 'Completed', message: 'Unable to get init container status from container runtime'},
  ],
  ['an OOM', ended(137, -60, {reason: 'OOMKilled'})],
  ['a SIGKILL', ended(137, -60)],
  ['a SIGTERM', ended(143, -60)],
  ['a container that waits', {name: 'main', kind: 'regular', state: 'waiting'}],
  ['a container whose state nobody knows', {name: 'main', kind: 'regular', state: 'unknown'}],
  ['a real end of the container before', {...running(), last: {exitCode: 137, reason: 'Error', containerId: other, finishedAt: at(-60)}}],
  ['a success without anything of the container before', {...running(), last: {exitCode: 0}}],
])('P03 is silent about %s', (_what, state) => {
  expect(found([says([state]), apiSays([state])])).toEqual([])
})

const boot = (seconds: number) => (snapshot: ReturnType<typeof smallNode>) => ({
  ...snapshot,
  readings: {...snapshot.readings, 'kernel.boot': {state: 'read', value: {id: 'b', at: at(seconds)}} as const},
})

test.each<[string, readonly Change[], number, string]>([
  ['before the node started', [says([withId], {createdAt: at(-600)})], -60, 'info'],
  ['after the node started', [says([withId], {createdAt: at(-600)})], -900, 'warning'],
  [
    'in a pod that was there before and a container that was not',
    [says([withId], {createdAt: at(-9000)}), exited(0, main, -300)],
    -600,
    'warning',
  ],
])('P03 judges a fallback of what began %s', (_what, changes, started, severity) => {
  const findings = findingsOf(boot(started)(smallNode(together(...changes))))
  expect(findings.flatMap((each) => (each.code === 'P03' ? [each.severity] : []))).toEqual([severity])
})

test.each<[string, ContainerState, string]>([
  ['a fallback', fallback, 'info'],
  ['a success', madeUpSuccess, 'error'],
])('P03 judges %s of an evicted pod', (_what, state, severity) => {
  expect(found([says([state], {reason: 'Evicted'})]).map((each) => each.severity)).toEqual([severity])
})

test.each([
  ['1.17.3', /kubelet 1\.17\.3 writes that over/, /Failed to Succeeded/],
  ['1.18.2', /kubelet 1\.18\.2 does not write that, but one before/, /^The kubelet keeps it, and does not ask for it again\.$/],
])('P03 says of a success on kubelet %s where it comes from', (version, origin, next) => {
  const [finding] = found([says([madeUpSuccess])], version)
  expect(finding?.message).toMatch(origin)
  expect(finding?.next).toMatch(next)
})

test('P03 tells a container once, whoever says it', () => {
  expect(found([says([madeUpSuccess]), apiSays([fallback])]).map((each) => [each.severity, each.evidence.length])).toEqual([['error', 2]])
})

const going: Partial<Pod> = {phase: 'Running', restartPolicy: 'Always', deletedAt: at(30)}

test.each<[string, Partial<Pod>, Change, string]>([
  ['a pod that goes and always started them again', going, () => {}, 'info'],
  ['one of which the runtime still runs it', going, atRuntime(recordOf('RUNNING', -60)), 'error'],
  ['one that has failed', {...going, phase: 'Failed'}, () => {}, 'error'],
  ['one that stays', {phase: 'Running', restartPolicy: 'Always'}, () => {}, 'error'],
  ['one by whose exits somebody goes', {...going, restartPolicy: 'Never'}, () => {}, 'error'],
])('P03 of a success that 1.17.3 writes over the containers of %s', (_what, pod, change, severity) => {
  expect(found([says([madeUpSuccess], pod), change], '1.17.3').map((each) => each.severity)).toEqual([severity])
})
