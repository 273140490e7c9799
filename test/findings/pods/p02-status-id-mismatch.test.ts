import {expect, test} from 'vitest'
import type {ContainerState, Pod} from '../../../src/node/pod.ts'
import {findingsOf} from '../../support/brief-findings.ts'
import {atRuntime, ended, job, jobPod, main, other, recordOf, running} from '../../support/ended-pods.ts'
import {readySandbox, type SmallNode, smallNode, together} from '../../support/small-node.ts'
import {at, logLine} from '../../support/snapshot-builder.ts'

type Change = (node: SmallNode) => unknown

const says = (containers: readonly ContainerState[], more: Partial<Pod> = {}): Change => {
  return (node) => {
    node.pods.push(jobPod(containers, more))
    node.sandboxes.push(readySandbox('job-0', job))
  }
}
const apiSays = (containers: readonly ContainerState[], more: Partial<Pod> = {}): Change => {
  return (node) => {
    node.apiPods = [...node.pods.filter(({uid}) => uid !== job), jobPod(containers, more)]
    node.sandboxes.push(readySandbox('job-0', job))
  }
}
const runs = (created: number, id = main) => atRuntime(recordOf('RUNNING', created, id))
const exited = (finished: number) => atRuntime(recordOf('EXITED', -4000), {exitCode: 1, finished})
const found = (...changes: readonly Change[]) => findingsOf(smallNode(together(...changes))).filter(({code}) => code === 'P02')

test.each<[string, readonly Change[], string, number | undefined, RegExp]>([
  ['a container that the runtime does not list', [says([running()])], 'warning', undefined, /runs, and the runtime does not list it/],
  ['a container that ended two minutes ago', [says([running()]), exited(-120)], 'warning', -120, /says that it has ended/],
  ['a container that ended half a minute ago', [says([running()]), exited(-30)], 'info', -30, /says that it has ended/],
  [
    'another one in its place for two minutes',
    [says([running()]), exited(-130), runs(-120, other)],
    'warning',
    -120,
    /runs cafecafecafec in its place/,
  ],
  [
    'another one that ran beside it until half a minute ago',
    [says([running()]), runs(-3000, other), exited(-30)],
    'info',
    -30,
    /runs cafecafecafec in its place/,
  ],
  [
    'another one in its place for half a minute',
    [says([running()]), exited(-40), runs(-30, other)],
    'info',
    -30,
    /runs cafecafecafec in its place/,
  ],
  [
    'one that is said to have ended',
    [says([ended(255, -120)]), runs(-4000)],
    'warning',
    -120,
    /has ended, and the runtime says that it runs/,
  ],
  [
    'one that is said to have ended before the present one (#134153)',
    [
      says([
        {
          name: 'main',
          kind: 'regular',
          state: 'waiting',
          reason: 'CreateContainerError',
          last: {exitCode: 255, containerId: main, finishedAt: at(-120)},
        },
      ]),
      runs(-4000),
    ],
    'warning',
    -120,
    /has ended, and the runtime says that it runs/,
  ],
  ['what the API server alone says', [apiSays([running()]), exited(-120)], 'warning', -120, /the API server says/],
])('P02 finds %s', (_what, changes, severity, since, sentence) => {
  const findings = found(...changes)
  expect(findings.map((each) => [each.severity, each.subject.podUid, each.subject.name, each.since])).toEqual([
    [severity, job, 'main', since === undefined ? undefined : new Date(at(since)).toISOString().replace('.000Z', 'Z')],
  ])
  expect(findings[0]?.message).toMatch(sentence)
})

test.each<[string, readonly Change[]]>([
  ['the container runs', [says([running()]), runs(-3600)]],
  ['the container ended a few seconds ago', [says([running()]), exited(-5)]],
  ['another one runs since a few seconds', [says([running()]), exited(-6), runs(-5, other)]],
  ['the container was started after the list was made', [says([running('main', {startedAt: at(-2)})])]],
  ['the API server has not heard of it for half a minute', [apiSays([running()]), exited(-30)]],
  ['nothing tells when it ended', [says([running()]), atRuntime(recordOf('EXITED', -4000), {exitCode: 1, finished: -1.8e9})]],
  ['nothing tells when it started', [says([{name: 'main', kind: 'regular', state: 'running', containerId: main}])]],
  ['an ended container was removed', [says([ended(1, -600)])]],
  ['the status has no id', [says([{name: 'main', kind: 'regular', state: 'running', startedAt: at(-3600)}])]],
  ['the container is an ephemeral one', [says([running('main', {kind: 'ephemeral'})])]],
  ['the pod is being deleted', [says([running()], {deletedAt: at(600)})]],
  ['the pod has ended', [says([running()], {phase: 'Failed'})]],
  ['the pod is one of another node', [apiSays([running()], {nodeName: 'n2'})]],
  [
    'a postStart hook of the container runs',
    [says([{name: 'main', kind: 'regular', state: 'waiting', reason: 'ContainerCreating'}]), runs(-600)],
  ],
  ['the runtime does not know what became of it', [says([running()]), atRuntime(recordOf('UNKNOWN', -3600))]],
  [
    'only a list that may be older has it running',
    [says([ended(1, -600)]), runs(-3600), (node) => node.without.push('runtime.container-status')],
  ],
  ['the runtime knows none of the pods that run', [says([running()]), (node) => Object.assign(node, {sandboxes: [], containers: []})]],
])('P02 is silent when %s', (_what, changes) => {
  expect(found(...changes)).toEqual([])
})

test.each<[string, readonly Change[]]>([
  [
    'pulls an image for another container of the pod',
    [says([running(), {name: 'b', kind: 'regular', state: 'waiting', reason: 'ContainerCreating'}])],
  ],
  ['has just started', [says([running()]), (node) => Object.assign(node, {log: [logLine(-60, 'Starting Kubelet Volume Manager')]})]],
])('P02 is info while the kubelet %s', (_what, changes) => {
  expect(found(...changes).map(({severity}) => severity)).toEqual(['info'])
})

test('P02 knows a static pod by the UID of its file, whatever its mirror is called', () => {
  const staticUid = '0123456789abcdef0123456789abcdef'
  const mirror: Change = (node) => {
    node.pods.push(jobPod([running()], {uid: staticUid, staticUid, configSource: 'file'}))
    node.apiPods = [...node.pods.slice(0, 1), jobPod([running()], {staticUid})]
  }
  const record = recordOf('RUNNING', -3600)
  record.labels['io.kubernetes.pod.uid'] = staticUid
  expect(found(mirror, atRuntime(record))).toEqual([])
  expect(found(mirror).map(({subject}) => subject.podUid)).toEqual([staticUid])
})

test('P02 tells a container once, with all who say it', () => {
  const findings = found(says([running()]), apiSays([running()]), exited(-120))
  expect(findings.map(({evidence}) => evidence.map(({source}) => source))).toEqual([
    ['kubelet.pods', 'runtime.container-status', 'api.pods', 'runtime.container-status'],
  ])
})
