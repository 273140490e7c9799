import {expect, test} from 'vitest'
import {read} from '../../../src/node/reading.ts'
import type {ContainerLook} from '../../../src/node/runtime/container-look.ts'
import {ContainerState} from '../../../src/wire/gen/cri_pb.ts'
import {findingsOf} from '../../support/brief-findings.ts'
import {answering} from '../../support/runtime-looks.ts'
import {container, day, hour, left, notReady, process, sandbox, settled} from '../../support/runtime-things.ts'
import {gone, runningPod, type SmallNode, smallNode, web} from '../../support/small-node.ts'
import {at, logLine} from '../../support/snapshot-builder.ts'

const r03 = (change: (node: SmallNode) => unknown) => findingsOf(smallNode((node) => void change(node))).filter(({code}) => code === 'R03')
const severities = (change: (node: SmallNode) => unknown) => r03(change).map(({severity}) => severity)
const id = `c-app-${gone}`
const lost = 'ab'.repeat(32)
const own = `id-app-${web}`

/** The log says that the pod went so many seconds ago. */
const goneFor =
  (seconds: number, annotations: Readonly<Record<string, string>> = {}) =>
  (node: SmallNode) => {
    left(node, {running: false})
    node.containers.push(container(gone, {annotations}))
    node.dated = false
    node.log = [logLine(-hour, 'early'), logLine(-seconds, 'Pod is orphaned and must be torn down', {podUID: gone})]
  }

test.each<[string, (node: SmallNode) => unknown, string]>([
  ['for an hour', (node) => left(node), 'critical'],
  ['for an hour in a sandbox that is not ready', (node) => left(node, {state: notReady}), 'critical'],
  ['for 3m, with the usual grace of 30s', goneFor(180), 'critical'],
  ['for 2m, with the usual grace of 30s', goneFor(120), 'info'],
  ['for 10m, with a grace of 15m: deleted by force, it runs on', goneFor(600, {'io.kubernetes.pod.terminationGracePeriod': '900'}), 'info'],
  ['for 20m, with a grace of 15m', goneFor(1200, {'io.kubernetes.pod.terminationGracePeriod': '900'}), 'critical'],
  ['for 10m, with a grace that is no number', goneFor(600, {'io.kubernetes.pod.terminationGracePeriod': 'soon'}), 'critical'],
  [
    'since nobody knows when',
    (node) => {
      left(node)
      node.dated = false
    },
    'info',
  ],
  [
    'for an hour, of the same name as a pod that runs',
    (node) => {
      left(node)
      node.containers = node.containers.map((each) => (each.id === id ? container(gone, {pod: 'web-0'}) : each))
    },
    'critical',
  ],
  [
    'for an hour, in the eyes of the API server alone: nothing tells how long the kubelet has been up',
    (node) => {
      left(node)
      node.process = undefined
      node.apiPods = node.pods
    },
    'info',
  ],
  [
    'for an hour: an old static pod, while the kubelet has the new one of the same file (kubernetes#112814)',
    (node) => {
      settled(node)
      node.pods.push(runningPod('etcd-n1', 'ab'.repeat(16), [], {configSource: 'file'}))
      for (const uid of ['ab'.repeat(16), 'cd'.repeat(16)]) {
        node.sandboxes.push(sandbox(uid, {name: 'etcd-n1'}))
        node.containers.push(container(uid, {pod: 'etcd-n1'}))
      }
    },
    'critical',
  ],
])('R03 finds a container whose pod is gone %s', (_what, change, severity) => {
  expect(severities(change)).toEqual([severity])
})

/** Nothing tells since when the pod is gone, as at a log of the usual verbosity. */
const undated = (node: SmallNode) => {
  left(node)
  node.dated = false
}
const killFailed =
  (seconds: number, which = id) =>
  (node: SmallNode) => {
    undated(node)
    node.log = [logLine(seconds, 'Kill container failed', {podUID: gone, containerID: `{"Type":"containerd","ID":"${which}"}`})]
  }
const killing = (seconds: number, message: string) => ({
  ...{namespace: 'default', name: 'web-9', uid: gone, reason: 'Killing', message, type: 'Normal', count: 1},
  lastAt: at(seconds),
})

test.each<[string, (node: SmallNode) => unknown, ReturnType<typeof killing>[], string]>([
  ['the log says that it could not be killed 3m ago', killFailed(-180), [], 'critical'],
  ['the log says that it could not be killed 2m ago', killFailed(-120), [], 'info'],
  ['the log says that of another container', killFailed(-180, 'other'), [], 'info'],
  [
    'the old log says that it was to be killed',
    (node) => {
      undated(node)
      node.log = [logLine(-180, `Killing container "containerd://${id}" with a 30 second grace period`)]
    },
    [],
    'critical',
  ],
  ['an event says that it was to be stopped 3m ago', undated, [killing(-180, 'Stopping container app')], 'critical'],
  ['an event says that of another container', undated, [killing(-180, 'Stopping container apple')], 'info'],
  ['an event says that of the one before it', undated, [killing(-2 * day, 'Stopping container app')], 'info'],
])('R03 goes by when the container was told to stop: %s', (_what, change, events, severity) => {
  const snapshot = smallNode((node) => void change(node))
  const readings = {...snapshot.readings, 'api.events': read(events)}
  const [finding] = findingsOf({...snapshot, readings}).filter(({code}) => code === 'R03')
  expect(finding?.severity).toBe(severity)
  expect(finding?.since).toBeUndefined()
})

test('R03 says what runs, since when, what the kubelet does next, and how to end it', () => {
  const [finding] = r03((node) => {
    left(node)
    node.answers = answering()
  })
  expect(finding).toMatchObject({
    subject: {kind: 'Pod', namespace: 'default', name: 'web-9', uid: gone},
    message: expect.stringContaining('The container app (c-app-9999999) runs, and nobody has the pod default/web-9'),
    since: '2026-11-30T02:00:00Z',
    next: expect.stringContaining('every two seconds'),
    cause: null,
  })
  const crictl = 'crictl -r unix:///run/containerd/containerd.sock'
  expect(finding?.remedy.map(({command}) => command)).toEqual([
    `${crictl} inspect ${id}`,
    `${crictl} stop --timeout 30 ${id}`,
    `${crictl} rm ${id}`,
  ])
})

test.each<[string, (node: SmallNode) => unknown]>([
  [
    'the kubelet lists no pod (T1)',
    (node) => {
      left(node)
      node.pods = []
      node.apiPods = [runningPod('web-0', web, ['data'])]
    },
  ],
  [
    'the kubelet has just started and lacks a pod that the API server has, beside one that is gone (T1)',
    (node) => {
      const other = '22222222-2222-4222-8222-222222222222'
      left(node)
      node.process = {pid: 9, program: 'kubelet', startedAt: at(-20), certain: true}
      node.apiPods = [...node.pods, runningPod('web-1', other, [])]
      node.sandboxes.push(sandbox(other, {name: 'web-1'}))
      node.containers.push(container(other, {pod: 'web-1'}))
    },
  ],
  [
    'the kubelet has just started, and the API server was not read (T1)',
    (node) => {
      left(node)
      node.process = {pid: 9, program: 'kubelet', startedAt: at(-20), certain: true}
    },
  ],
  [
    'the kubelet is up for long and has static pods only: it has not heard from the API server (T1)',
    (node) => {
      left(node)
      node.pods = [runningPod('web-0', web, ['data'], {configSource: 'file'})]
    },
  ],
  [
    'the API server has the pod',
    (node) => {
      left(node)
      node.apiPods = [...node.pods, runningPod('web-9', gone, [])]
    },
  ],
  [
    'crictl made it: it has no labels (T5)',
    (node) => {
      settled(node)
      node.containers.push({...container(gone), labels: {}})
    },
  ],
  [
    'its UID is nothing that Kubernetes gives (T5)',
    (node) => {
      settled(node)
      node.containers.push(container('hdishd83djaidwnduwk28bcsb'))
    },
  ],
  [
    'it has exited',
    (node) => {
      left(node, {running: false})
      node.containers.push(container(gone, {state: ContainerState.CONTAINER_EXITED}))
    },
  ],
  [
    'its process is gone (R08)',
    (node) => {
      left(node)
      node.looks[id] = {process: {state: 'gone'}}
    },
  ],
  [
    'its process is a zombie (R08)',
    (node) => {
      left(node)
      node.looks[id] = {process: {state: 'zombie'}}
    },
  ],
])('R03 finds nothing where %s', (_what, change) => {
  expect(r03(change)).toEqual([])
})

const answered = {state: 'answered'} as const
const times = {createdAt: 0n, startedAt: 0n, finishedAt: 0n, exitCode: 0, reason: ''}

test.each<[string, Omit<ContainerLook, 'id'>, readonly string[]]>([
  ['has a pid that nobody can look up (a virtual machine)', {outcome: answered, pid: 7, runtime: 'io.containerd.kata.v2'}, ['critical']],
  ['does not answer', {outcome: {state: 'silent', waitedMs: 5000}}, ['critical']],
  ['is not found any more', {outcome: {state: 'failed', kind: 'answered', code: 'NOT_FOUND', why: 'no such container'}}, []],
  ['says that it has exited since the list', {outcome: answered, status: {state: ContainerState.CONTAINER_EXITED, ...times}}, []],
])('R03 of a container whose status %s', (_what, look, expected) => {
  const snapshot = smallNode((node) => left(node))
  const readings = {...snapshot.readings, 'runtime.container-status': read([{id, ...look}])}
  const found = findingsOf({...snapshot, readings}).filter(({code}) => code === 'R03')
  expect(found.map(({severity}) => severity)).toEqual(expected)
})

/** The processes of the healthy container, and those of one that the runtime does not list. */
const forgotten =
  (given: Parameters<typeof process>[2] = {}, uid = web) =>
  (node: SmallNode) => {
    settled(node)
    node.processes = [process(web, own, {pid: 3000}), process(uid, lost, given)]
  }

test.each<[string, (node: SmallNode) => unknown, readonly string[]]>([
  ['with a process of a day (containerd#13784)', forgotten(), ['critical']],
  ['with a process of a minute', forgotten({age: 60}), ['info']],
  [
    'of a pod that is being deleted: the record may have gone in between',
    (node) => {
      forgotten()(node)
      node.pods = node.pods.map((pod) => ({...pod, deletedAt: at(-20)}))
    },
    ['info'],
  ],
  [
    'of a pod that should have gone an hour ago',
    (node) => {
      forgotten()(node)
      node.pods = node.pods.map((pod) => ({...pod, deletedAt: at(-hour)}))
    },
    ['critical'],
  ],
  ['of a pod that nobody has, and whose directory went', forgotten({age: 2 * hour}, gone), ['critical']],
  [
    'of a pod that nobody has, nobody knows since when',
    (node) => {
      forgotten({}, gone)(node)
      node.dated = false
    },
    ['info'],
  ],
  ['whose process is a zombie', forgotten({state: 'Z'}), []],
  ['by the name of another runtime', forgotten({cgroup: `/kubepods/besteffort/pod${web}/docker-${lost}.scope`}), []],
  [
    'in a node that is a container itself',
    forgotten({cgroup: `/docker/${'e'.repeat(64)}/kubelet/kubepods/besteffort/pod${web}/${lost}`}),
    [],
  ],
  ['outside of the cgroup of all pods', forgotten({cgroup: `/machine.slice/${lost}`}), []],
  [
    'when the runtime lists it as a sandbox (pause)',
    (node) => {
      forgotten()(node)
      node.sandboxes.push(sandbox(web, {id: lost, attempt: 1, name: 'web-0', age: 300}))
    },
    [],
  ],
  [
    'when no process is of a container that the runtime lists: it is another runtime',
    (node) => {
      forgotten()(node)
      node.processes = [process(web, lost)]
    },
    [],
  ],
  [
    'when the sandboxes are not known',
    (node) => {
      forgotten()(node)
      node.without = ['runtime.sandboxes']
    },
    [],
  ],
])('R03 judges a container that the runtime has forgotten, %s', (_what, change, expected) => {
  expect(severities(change)).toEqual(expected)
})

test('R03 ends a forgotten process only while its pid is still in that cgroup', () => {
  const [finding] = r03(forgotten({pid: 4711}))
  expect(finding?.subject).toEqual({kind: 'Pod', namespace: 'default', name: 'web-0', uid: web})
  expect(finding?.since).toBeUndefined()
  expect(finding?.remedy.map(({command}) => command)).toEqual([
    'ps -o pid,ppid,lstart,args -p 4711',
    `grep -q ${lost} /proc/4711/cgroup && kill 4711`,
  ])
})

test('R03 is one finding for a pod whose containers the runtime lists and forgot', () => {
  const findings = r03((node) => {
    left(node)
    node.containers.push(container(gone, {name: 'log'}))
    node.processes = [process(web, own, {pid: 3000}), process(gone, lost, {age: 2 * day})]
  })
  expect(findings).toHaveLength(1)
  expect(findings[0]?.message).toContain('The containers app (c-app-9999999), log (c-log-9999999) run')
  expect(findings[0]?.message).toContain(`the container ${lost.slice(0, 13)}`)
})
