import {expect, test} from 'vitest'
import {parsePods} from '../../src/node/pod.ts'
import {absent, failed, read} from '../../src/node/reading.ts'
import {ContainerState} from '../../src/wire/gen/cri_pb.ts'
import {rootOf} from '../support/examined/causes.ts'
import {expectAtMostInfo, expectNone, expectOnly, expectSilent, reportOf} from '../support/examined/expect.ts'
import {db, healthy, proxy, web} from '../support/examined/healthy.ts'
import {ago, type ExaminedNode, hour, minute} from '../support/examined/node.ts'
import {driverRemoved, driverSilent, nfsGone, recordEmpty, socketsDead, statusRefused, terminating} from '../support/examined/pictures.ts'
import {addSandbox, answersSo, hangs, processGone} from '../support/examined/runtime.ts'

const subject = {kind: 'Pod', namespace: 'shop', name: 'web-0', uid: web}

/** k8s#116954: everything has ended an hour ago, and the pod is still there. */
const nothingLeft = (node: ExaminedNode) => terminating(node, web, hour)

function severitiesOf(node: ExaminedNode): string[] {
  return reportOf(node)
    .findings.filter(({code}) => code === 'P01')
    .map(({severity}) => severity)
}

test('P01 k8s#116954: nothing runs of a pod that should have gone an hour ago, and nothing else is wrong', () => {
  const report = expectOnly(healthy(nothingLeft), ['P01', 'error', subject])
  expect(report.findings.find(({code}) => code === 'P01')?.cause).toBeNull()
})

test('P01 k8s#76382: the kubelet refuses every status of the pod, and the remedy is to restart it', () => {
  const report = expectOnly(healthy(statusRefused), ['P01', 'error', subject])
  const commands = report.findings.flatMap(({remedy}) => remedy.map(({command}) => command))
  expect(commands.join('\n')).toContain('systemctl restart kubelet')
})

test.each([
  ['V02', (node: ExaminedNode) => recordEmpty(node)],
  ['C01', driverRemoved],
  ['C02', socketsDead],
  ['C03', driverSilent],
  ['V09', (node: ExaminedNode) => nfsGone(node)],
  ['R01', (node: ExaminedNode) => answersSo(node, 'ListPodSandbox', hangs())],
  ['K02', (node: ExaminedNode) => Object.assign(node, {healthz: {ok: false, text: '[-]syncloop failed: reason withheld'}})],
] as const)('P01 is held by %s, and names it', (blocker, change) => {
  const report = reportOf(
    healthy((node) => {
      nothingLeft(node)
      change(node)
    }),
  )
  expect(report.findings.map(({code}) => code)).toContain(blocker)
  expect(rootOf(report, 'P01')).toBe(blocker)
})

test('P01 is held by a record without a process (R08), which counts as not running', () => {
  const node = healthy((each) => {
    each.changePod(web, {deletedAt: ago(hour)})
    processGone(each, `c-${web}`)
  })
  const report = expectOnly(node, ['P01', 'error', subject], ['R08', 'error', {kind: 'Container', id: `c-${web}`}])
  expect(rootOf(report, 'P01')).toBe('R08')
})

test('P01 is held by a sandbox that cannot be taken down (R02)', () => {
  const node = healthy((each) => {
    nothingLeft(each)
    each.sandboxes = each.sandboxes.filter(({metadata}) => metadata?.uid !== web)
    addSandbox(each, {uid: web, name: 'web-0', attempt: 0, ready: true, created: 2 * hour})
    addSandbox(each, {uid: web, name: 'web-0', id: `s-${web}`, attempt: 1, ready: true, created: hour})
  })
  const report = reportOf(node)
  expect(report.findings.map(({code}) => code)).toContain('R02')
  expect(rootOf(report, 'P01')).toBe('R02')
})

test('P01 the trouble of another pod holds nothing', () => {
  const node = healthy((each) => {
    nothingLeft(each)
    processGone(each, `c-${db}`)
  })
  expect(rootOf(reportOf(node), 'P01')).toBe('P01')
})

test('P01 look-alike: a long preStop hook, and its container runs', () => {
  expectSilent(healthy((node) => node.changePod(web, {deletedAt: ago(hour), graceMs: hour * 1000})))
})

test('P01 look-alike: a finalizer of somebody else holds the pod', () => {
  expectSilent(
    healthy((node) => {
      nothingLeft(node)
      node.changePod(web, {finalizers: ['example.test/hold']})
      for (const path of [...node.entries.keys()]) if (path.startsWith(`pods/${web}/volumes/kubernetes.io~csi/`)) node.remove(path)
      node.mounts = node.mounts.filter((line) => !line.includes(web) && !line.includes('globalmount'))
      for (const path of [...node.entries.keys()]) if (path.startsWith('plugins/kubernetes.io/csi/ebs')) node.remove(path)
    }),
  )
})

test('P01 look-alike: a mirror pod whose static pod runs', () => {
  const node = healthy()
  node.apiPods = node.apiPods.map((pod) => (pod.staticUid === proxy ? {...pod, deletedAt: ago(hour)} : pod))
  expectAtMostInfo(node)
})

test('P01 look-alike: deletionTimestamp is due in 10 s', () => {
  const node = healthy((each) => {
    terminating(each, web, 10)
    each.changePod(web, {deletedAt: ago(-10)})
  })
  expectAtMostInfo(node)
})

test.each([5, 30, 2 * minute, 7 * minute])('P01 it is due for %d s: an unmount may still succeed', (seconds) => {
  expectAtMostInfo(healthy((node) => terminating(node, web, seconds)))
})

test('P01 deleted an hour ago, and the last container ended a minute ago', () => {
  const node = healthy((each) => {
    terminating(each, web, minute)
    each.changePod(web, {deletedAt: ago(hour)})
  })
  expectAtMostInfo(node)
})

test('P01 the kubelet has started 3 minutes ago', () => {
  const node = healthy(nothingLeft)
  node.kubeletProcess = {pid: 812, program: 'kubelet', startedAt: ago(3 * minute), sameNetwork: true, certain: true}
  expectAtMostInfo(node)
})

test('P01 the node has started 3 minutes ago', () => {
  const node = healthy(nothingLeft)
  node.bootedAgo = 3 * minute
  expectAtMostInfo(node)
})

test('P01 only the kubelet was asked', () => {
  const node = healthy(nothingLeft)
  node.readings['api.pods'] = absent('not captured')
  expect(severitiesOf(node)).toEqual(['error'])
})

test('P01 only the API server was asked', () => {
  const node = healthy(nothingLeft)
  node.readings['kubelet.pods'] = absent('not captured')
  node.readings['kubelet.runningpods'] = absent('not captured')
  expect(severitiesOf(node)).toEqual(['error'])
})

test('P01 the API server has let the pod go, and the kubelet has not heard of it for a moment: not more than before', () => {
  const node = healthy(nothingLeft)
  node.apiPods = node.apiPods.filter(({uid}) => uid !== web)
  expect(severitiesOf(node).filter((severity) => severity === 'critical')).toEqual([])
})

test.each(['runtime.containers', 'kubelet.pods'] as const)('P01 %s broke off', (source) => {
  const node = healthy(nothingLeft)
  if (source === 'kubelet.pods') {
    node.readings[source] = read(node.pods, 'the reply broke off')
    expect(severitiesOf(node)).not.toContain('critical')
  } else {
    node.readings[source] = read(node.containers, 'the reply broke off')
    expect(expectNone(node, 'P01').looked).not.toContain('P01')
  }
})

test('P01 the containers were not read: something may run', () => {
  const node = healthy(nothingLeft)
  node.readings['runtime.containers'] = absent('not captured')
  node.readings['runtime.container-status'] = absent('not captured')
  expect(expectNone(node, 'P01').looked).not.toContain('P01')
})

test('P01 its record has no process, and nobody saw all processes: it may run', () => {
  const node = healthy((each) => {
    each.changePod(web, {deletedAt: ago(hour)})
    processGone(each, `c-${web}`)
  })
  node.readings.processes = absent('not captured')
  expectNone(node, 'P01')
})

// What the runtime does not know of is in doubt: it neither runs nor has ended.
test('P01 the state of its container is UNKNOWN: it may run', () => {
  const node = healthy((each) => {
    nothingLeft(each)
    each.containers = each.containers.map((container) =>
      container.id === `c-${web}` ? {...container, state: ContainerState.CONTAINER_UNKNOWN} : container,
    )
  })
  expectNone(node, 'P01')
})

test('P01 it is young and its driver is gone: nothing is to be done yet about the pod', () => {
  const node = healthy((each) => {
    terminating(each, web, 5 * minute)
    driverRemoved(each)
  })
  const report = reportOf(node)
  expect(report.findings.filter(({code}) => code === 'P01').map(({severity, cause}) => [severity, cause?.code])).toEqual([['info', 'C01']])
})

test.each([ContainerState.CONTAINER_CREATED, ContainerState.CONTAINER_EXITED])(
  'P01 the state of its container is %d: it does not run',
  (state) => {
    const node = healthy((each) => {
      nothingLeft(each)
      each.containers = each.containers.map((container) => (container.id === `c-${web}` ? {...container, state} : container))
    })
    expect(severitiesOf(node)).toEqual(['error'])
  },
)

test('P01 k8s#92368: deleted before it was created, with a status of empty names and a docker:// without an id', () => {
  const status = {name: '', containerID: 'docker://', state: {terminated: {exitCode: 0, startedAt: null, finishedAt: null}}}
  const metadata = {
    name: 'web-0',
    namespace: 'shop',
    uid: web,
    creationTimestamp: '2026-11-28T12:00:00Z',
    deletionTimestamp: '2026-11-26T12:00:00Z',
  }
  const [pod] = parsePods({kind: 'PodList', items: [{metadata, status: {phase: 'Running', containerStatuses: [status]}}]})
  const node = healthy((each) => {
    each.stop(web)
    each.version = '1.15.12'
  })
  const changed = node.pods.map((each) => (each.uid === web && pod ? {...pod, volumes: each.volumes} : each))
  Object.assign(node, {pods: changed, apiPods: changed})
  const codes = reportOf(node).findings.map(({code, severity}) => `${code} ${severity}`)
  expect(codes).toContain('R10 warning')
  expect(codes.some((code) => code.startsWith('P01'))).toBe(true)
})

test('P01 a step of the clock by -40 s: its container ended in the future', () => {
  expectAtMostInfo(healthy((node) => terminating(node, web, -40)))
})

test('P01 its phase is missing', () => {
  const node = healthy(nothingLeft)
  const bare = (pods: ExaminedNode['pods']) =>
    pods.map((pod) => {
      if (pod.uid !== web) return pod
      const {phase: _, ...rest} = pod
      return rest
    })
  Object.assign(node, {pods: bare(node.pods), apiPods: bare(node.apiPods)})
  expect(severitiesOf(node)).toEqual(['error'])
})

test('P01 two pods of one namespace and name: the one that goes is told by its UID', () => {
  const node = healthy((each) => {
    nothingLeft(each)
    each.pod('web-0', '77777777-7777-4777-8777-777777777777', [], {createdAt: ago(10 * minute)})
    each.runs('web-0', '77777777-7777-4777-8777-777777777777', {started: 10 * minute})
  })
  expectOnly(node, ['P01', 'error', subject])
})

/** Nobody started the kubelet again, or it cannot start: nobody ends pods meanwhile. */
function kubeletDown(node: ExaminedNode): void {
  for (const name of ['kubelet.pods', 'kubelet.runningpods', 'kubelet.healthz', 'kubelet.metrics'] as const)
    node.readings[name] = failed('nobody listens', 3, 'refused')
  node.kubeletProcess = undefined
  node.log = []
}

test('P01 the kubelet does not run, and a container of the pod does', () => {
  const node = healthy((each) => {
    each.changePod(web, {deletedAt: ago(hour)})
    kubeletDown(each)
  })
  expectAtMostInfo(node)
})

test('P01 the kubelet does not run: it is not told that its state is stale', () => {
  const node = healthy((each) => {
    nothingLeft(each)
    kubeletDown(each)
  })
  expect(JSON.stringify(reportOf(node).findings)).not.toContain('state is stale')
})
