import {expect, test} from 'vitest'
import {read} from '../../../src/node/reading.ts'
import {ContainerState} from '../../../src/wire/gen/cri_pb.ts'
import {brief, findingsOf} from '../../support/brief-findings.ts'
import {answering} from '../../support/runtime-looks.ts'
import {container, day, hour, left, notReady, ready, sandbox, settled} from '../../support/runtime-things.ts'
import {gone, runningPod, type SmallNode, smallNode, web} from '../../support/small-node.ts'
import {at, logLine} from '../../support/snapshot-builder.ts'

const stopped = (node: SmallNode) => left(node, {running: false, state: notReady})
const r02 = (change: (node: SmallNode) => unknown) => findingsOf(smallNode((node) => void change(node))).filter(({code}) => code === 'R02')
const severities = (change: (node: SmallNode) => unknown) => r02(change).map(({severity}) => severity)
const removed = (seconds: number) => [
  logLine(-day, 'early'),
  logLine(seconds, 'SyncLoop REMOVE', {source: 'api', pods: '["default/web-9"]'}),
]

test.each<[string, (node: SmallNode) => unknown, string]>([
  ['one that is not ready, for an hour', stopped, 'warning'],
  ['one that is READY, for an hour', (node) => left(node, {running: false}), 'error'],
  [
    'one of which the log says that its pod went 20m ago',
    (node) => {
      stopped(node)
      node.dated = false
      node.log = removed(-1200)
    },
    'warning',
  ],
  [
    'one whose pod went 9m ago',
    (node) => {
      stopped(node)
      node.dated = false
      node.log = removed(-540)
    },
    'info',
  ],
  ['one of unknown age', (node) => Object.assign(stopped(node) ?? node, {dated: false}), 'info'],
  [
    'one where pods/ has just changed',
    (node) => {
      stopped(node)
      node.modified.pods = -30
    },
    'info',
  ],
  [
    'one whose directory is left: it does not tell since when the pod is gone',
    (node) => {
      stopped(node)
      node.files.push(`pods/${gone}/etc-hosts`)
    },
    'info',
  ],
  [
    'one of a static pod, where the kubelet has others of files',
    (node) => {
      settled(node)
      node.pods.push(runningPod('etcd-n1', 'ab'.repeat(16), [], {configSource: 'file'}))
      node.sandboxes.push(sandbox('cd'.repeat(16), {state: notReady}))
    },
    'warning',
  ],
])('R02 finds %s', (_what, change, severity) => {
  expect(severities(change)).toEqual([severity])
})

test('R02 is one finding for a pod, whatever the number of its sandboxes, with since, next and the endpoint', () => {
  const [finding, ...more] = r02((node) => {
    settled(node)
    node.answers = answering()
    for (let attempt = 0; attempt < 30; attempt++) node.sandboxes.push(sandbox(gone, {id: `s${attempt}`, attempt, state: notReady}))
  })
  expect(more).toEqual([])
  expect(finding).toMatchObject({
    severity: 'warning',
    subject: {kind: 'Pod', namespace: 'default', name: 'web-9', uid: gone},
    since: '2026-11-30T02:00:00Z',
    next: expect.stringContaining('once a minute'),
    cause: null,
  })
  expect(finding?.message).toMatch(/^30 sandboxes of the pod default\/web-9/)
  expect(finding?.evidence[0]?.fact).toContain('and 20 more')
  expect(finding?.remedy[0]?.command).toMatch(/^crictl -r unix:\/\/\/run\/containerd\/containerd.sock stopp s0 s1 /)
})

test('R02 of a pod whose container still runs follows from R03', () => {
  const findings = findingsOf(smallNode((node) => left(node)))
  const [leaked, running] = ['R02', 'R03'].map((code) => findings.find((each) => each.code === code))
  expect(running?.severity).toBe('critical')
  expect(leaked).toMatchObject({severity: 'error', cause: {code: 'R03', subject: running?.subject}})
})

test.each([
  [
    'the log',
    (node: SmallNode) =>
      Object.assign(node, {
        log: [logLine(-60, 'Failed to stop', {err: `failed to destroy network for sandbox "s-${gone}": cni plugin not initialized`})],
      }),
  ],
  ['an event', () => {}],
])('R02 says first to mend the network plugin when %s says that a network cannot be taken down (containerd#6565)', (source, change) => {
  const snapshot = smallNode((node) => {
    stopped(node)
    change(node)
  })
  const event = {
    namespace: 'default',
    name: 'web-9',
    uid: gone,
    reason: 'FailedKillPod',
    message: 'failed to destroy network for sandbox "x"',
    type: 'Warning',
    count: 3,
  }
  const readings = source === 'an event' ? {...snapshot.readings, 'api.events': read([event])} : snapshot.readings
  const [finding] = findingsOf({...snapshot, readings}).filter(({code}) => code === 'R02')
  expect(finding?.evidence.at(-1)?.fact).toContain('failed to destroy network')
  expect(finding?.remedy.map(({command}) => command)).toEqual(['crictl info', `crictl stopp s-${gone}`, `crictl rmp s-${gone}`])
})

/** An older attempt that is not ready and has no container, beside the newer one of the pod that runs. */
const replaced =
  (minutes: number, more: Parameters<typeof sandbox>[1] = {}) =>
  (node: SmallNode) => {
    settled(node)
    node.sandboxes = [
      sandbox(web, {id: 'old', name: 'web-0', age: minutes * 60 + hour, state: notReady, ...more}),
      sandbox(web, {id: 'new', name: 'web-0', age: minutes * 60, attempt: 1}),
    ]
  }

test.each<[string, (node: SmallNode) => unknown, readonly string[]]>([
  ['for six weeks (containerd#7988)', replaced(6 * 7 * 24 * 60), ['warning']],
  ['for nine minutes', replaced(9), ['info']],
  ['for an hour, and still READY', replaced(60, {state: ready}), ['error']],
  [
    'whose container is kept for its log',
    (node) => {
      replaced(60)(node)
      node.containers.push(container(web, {id: 'dead', sandbox: 'old', state: ContainerState.CONTAINER_EXITED}))
    },
    [],
  ],
  [
    'where nobody knows the containers',
    (node) => {
      replaced(60)(node)
      node.without = ['runtime.containers']
    },
    [],
  ],
  ['whose attempt is the higher one: a clock was set', replaced(60, {attempt: 2}), []],
  [
    'whose date is none',
    (node) => {
      replaced(60)(node)
      node.sandboxes = node.sandboxes.map((each) => (each.id === 'old' ? {...each, createdAt: 0n} : each))
    },
    [],
  ],
  [
    'by one that has gone down, too',
    (node) => {
      replaced(60)(node)
      node.sandboxes = node.sandboxes.map((each) => ({...each, state: notReady}))
    },
    [],
  ],
])('R02 judges an older attempt that was replaced %s', (_what, change, expected) => {
  expect(severities(change)).toEqual(expected)
})

test.each<[string, (node: SmallNode) => unknown]>([
  [
    'a completed pod that the kubelet still has',
    (node) => {
      settled(node)
      node.pods.push(runningPod('job-0', gone, [], {phase: 'Succeeded', configSource: 'api'}))
      node.sandboxes.push(sandbox(gone, {state: notReady}))
    },
  ],
  [
    'a pod that the API server alone still has',
    (node) => {
      stopped(node)
      node.apiPods = [...node.pods, runningPod('web-9', gone, [])]
    },
  ],
  [
    'a static pod, whose mirror has another UID',
    (node) => {
      settled(node)
      node.apiPods = [...node.pods, runningPod('etcd-n1', gone, [], {staticUid: 'ab'.repeat(16)})]
      node.sandboxes.push(sandbox('ab'.repeat(16), {state: notReady}))
    },
  ],
  [
    'a static pod, where the kubelet has none of files',
    (node) => {
      settled(node)
      node.sandboxes.push(sandbox('ab'.repeat(16), {state: notReady}))
    },
  ],
  [
    'crictl (containerd#8774): a UID of its own and no labels',
    (node) => {
      settled(node)
      node.sandboxes.push({...sandbox('hdishd83djaidwnduwk28bcsb'), labels: {}}, {...sandbox(gone, {state: notReady}), labels: {}})
    },
  ],
  [
    'a pod that is a minute old',
    (node) => {
      settled(node)
      node.sandboxes.push(sandbox(gone, {age: 60}))
    },
  ],
])('R02 leaves alone the sandbox of %s', (_what, change) => {
  expect(r02(change)).toEqual([])
})

test.each<[string, (node: SmallNode) => unknown, readonly string[]]>([
  [
    'the kubelet has been up for a minute, and the API server denies the pod',
    (node) => {
      stopped(node)
      node.process = {pid: 9, program: 'kubelet', startedAt: at(-60), certain: true}
      node.apiPods = node.pods
    },
    ['R02 info'],
  ],
  [
    'nothing tells how long the kubelet has been up, and the API server denies the pod',
    (node) => {
      stopped(node)
      node.process = undefined
      node.apiPods = node.pods
    },
    ['R02 info'],
  ],
  [
    'nothing tells how long the kubelet has been up, and the API server was not read',
    (node) => {
      stopped(node)
      node.process = undefined
    },
    [],
  ],
  [
    'an unbroken log tells that the kubelet has been up for an hour',
    (node) => {
      stopped(node)
      node.process = undefined
      node.log = [logLine(-hour, 'early'), logLine(-5, 'SyncLoop (housekeeping)')]
    },
    ['R02 warning'],
  ],
  [
    'the log has the start of the kubelet a minute ago',
    (node) => {
      stopped(node)
      node.process = undefined
      node.log = [logLine(-hour, 'early'), logLine(-60, 'Starting Kubelet Volume Manager'), logLine(-5, 'late')]
    },
    [],
  ],
  [
    'the log ended ten minutes ago: somebody may have started another kubelet',
    (node) => {
      stopped(node)
      node.process = undefined
      node.log = [logLine(-hour, 'early'), logLine(-600, 'late')]
    },
    [],
  ],
  [
    'the list is that of another node',
    (node) => {
      stopped(node)
      node.pods = [runningPod('x', '33333333-3333-4333-8333-333333333333', [], {nodeName: 'n2', configSource: 'api'})]
      node.sandboxes = node.sandboxes.map((each) => ({...each, state: notReady}))
    },
    [],
  ],
])('R02 when %s', (_what, change, expected) => {
  expect(brief(smallNode((node) => void change(node))).filter((each) => each.startsWith('R'))).toEqual(expected)
})
