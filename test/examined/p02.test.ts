import {expect, test} from 'vitest'
import {parsePods} from '../../src/node/pod.ts'
import {absent, read} from '../../src/node/reading.ts'
import {ContainerState} from '../../src/wire/gen/cri_pb.ts'
import {expectAtMostInfo, expectNone, expectOnly, expectSilent, reportOf} from '../support/examined/expect.ts'
import {healthy, web} from '../support/examined/healthy.ts'
import {ago, day, type ExaminedNode, hour, minute} from '../support/examined/node.ts'
import {terminating} from '../support/examined/pictures.ts'
import {addContainer} from '../support/examined/runtime.ts'

const id = `c-${web}`
const running = {name: 'app', kind: 'regular', state: 'running', startedAt: ago(day)} as const

/** cri-o#4693: the runtime runs another one since an hour. */
function anotherRuns(node: ExaminedNode, started = hour): void {
  node.stop(web)
  node.runs('web-0', web, {started})
  node.changePod(web, {containers: [{...running, containerId: 'c-before'}]})
}

test('P02 cri-o#4693: the status names a container that the runtime does not run, and it runs another', () => {
  const report = expectOnly(healthy(anotherRuns), ['P02', 'warning'])
  const text = JSON.stringify(report.findings)
  // As crictl shows an id.
  for (const word of [web, 'c-before', id.slice(0, 13)]) expect(text).toContain(word)
})

test('P02 k8s#75065: the status says running, and the runtime has nothing of it', () => {
  const node = healthy((each) => {
    each.containers = each.containers.filter((container) => container.id !== id)
  })
  expectOnly(node, ['P02', 'warning'])
})

test('P02 the status says running, and it has ended an hour ago', () => {
  const node = healthy((each) => {
    each.stop(web)
    each.runs('web-0', web, {started: 2 * hour, state: ContainerState.CONTAINER_EXITED})
  })
  expectOnly(node, ['P02', 'warning'])
})

test('P02 the status says that it has ended, in a pod that goes on, and it runs', () => {
  const end = {exitCode: 1, reason: 'Error', startedAt: ago(day), finishedAt: ago(hour), containerId: id, terminatedId: id}
  const report = reportOf(
    healthy((node) =>
      node.changePod(web, {restartPolicy: 'Always', containers: [{name: 'app', kind: 'regular', state: 'terminated', ...end}]}),
    ),
  )
  // Which of the two names it is theirs to decide; it is one trouble.
  const above = report.findings.filter(({severity}) => severity !== 'info').map(({code}) => code)
  expect(above).toHaveLength(1)
  expect(['P02', 'P04']).toContain(above[0])
})

test('P02 look-alike: the record of an ended container was removed, and its status keeps the id', () => {
  const end = {
    exitCode: 1,
    reason: 'Error',
    startedAt: ago(day),
    finishedAt: ago(hour),
    containerId: 'c-removed',
    terminatedId: 'c-removed',
  }
  expectSilent(healthy((node) => node.changePod(web, {containers: [{...running, containerId: id, restarts: 1, last: end}]})))
})

test('P02 look-alike: in back-off, the status has the id of the one that ended', () => {
  const end = {exitCode: 1, reason: 'Error', startedAt: ago(hour), finishedAt: ago(3 * minute), containerId: id}
  const node = healthy((each) => {
    each.stop(web)
    each.runs('web-0', web, {started: hour, state: ContainerState.CONTAINER_EXITED})
    each.containerStatuses.set(id, {exitCode: 1, reason: 'Error', finishedAt: BigInt(ago(3 * minute)) * 1_000_000n})
    each.changePod(web, {
      containers: [{name: 'app', kind: 'regular', state: 'waiting', reason: 'CrashLoopBackOff', containerId: id, last: end, restarts: 4}],
    })
  })
  expectSilent(node)
})

test('P02 look-alike: docker:// with nothing behind it', () => {
  const status = {name: 'app', containerID: 'docker://', state: {running: {startedAt: '2026-11-29T12:00:00Z'}}}
  const [pod] = parsePods({
    kind: 'PodList',
    items: [{metadata: {name: 'web-0', namespace: 'shop', uid: web}, status: {phase: 'Running', containerStatuses: [status]}}],
  })
  const node = healthy()
  const changed = node.pods.map((each) => (each.uid === web && pod ? {...pod, volumes: each.volumes} : each))
  Object.assign(node, {pods: changed, apiPods: changed})
  expectSilent(node)
})

test('P02 look-alike: containerStatuses with empty names', () => {
  expectAtMostInfo(healthy((node) => node.changePod(web, {containers: [{...running, name: '', containerId: id}]})))
})

test('P02 look-alike: an ephemeral container', () => {
  expectSilent(
    healthy((node) =>
      node.changePod(web, {
        containers: [
          {...running, containerId: id},
          {...running, name: 'debug', kind: 'ephemeral', containerId: 'c-debug'},
        ],
      }),
    ),
  )
})

test('P02 look-alike: a second runtime, which knows none of the pods', () => {
  const node = healthy()
  Object.assign(node, {containers: [], sandboxes: []})
  expectAtMostInfo(node)
})

test('P02 look-alike: the kubelet pulls the image of another container of the pod', () => {
  const node = healthy((each) => {
    anotherRuns(each)
    each.changePod(web, {
      containers: [
        {...running, containerId: 'c-before'},
        {name: 'side', kind: 'regular', state: 'waiting', reason: 'ContainerCreating'},
      ],
    })
  })
  expectAtMostInfo(node)
})

test('P02 look-alike: the containers that the runtime forgot are the whole of a pod that starts anew', () => {
  const node = healthy((each) => {
    each.stop(web)
    each.runs('web-0', web, {started: 20})
    each.changePod(web, {containers: [{...running, containerId: 'c-before'}]})
  })
  expectAtMostInfo(node)
})

test.each([-40, 0, 30])('P02 the other one has started %d s ago: at most info', (seconds) => {
  expectAtMostInfo(healthy((node) => anotherRuns(node, seconds)))
})

test('P02 the kubelet has started a minute ago', () => {
  const node = healthy(anotherRuns)
  node.kubeletProcess = {pid: 812, program: 'kubelet', startedAt: ago(minute), sameNetwork: true, certain: true}
  expectAtMostInfo(node)
})

test('P02 the node has started 3 minutes ago, and its containers are new', () => {
  const node = healthy((each) => anotherRuns(each, minute + 30))
  node.bootedAgo = 3 * minute
  expectAtMostInfo(node)
})

test('P02 the list of containers broke off', () => {
  const node = healthy(anotherRuns)
  node.readings['runtime.containers'] = read(
    node.containers.filter((each) => each.id !== id),
    'the reply broke off',
  )
  expect(expectNone(node, 'P02').looked).not.toContain('P02')
})

test('P02 the pod is being deleted: it is P01, or on its way', () => {
  const node = healthy((each) => {
    terminating(each, web, hour)
    each.changePod(web, {containers: [{...running, containerId: 'c-before'}]})
  })
  expectNone(node, 'P02')
})

test('P02 the pod has ended: it is P04, or nothing', () => {
  const node = healthy((each) => {
    anotherRuns(each)
    each.changePod(web, {phase: 'Failed'})
  })
  expectNone(node, 'P02')
})

test('P02 only the API server was asked', () => {
  const node = healthy(anotherRuns)
  node.readings['kubelet.pods'] = absent('not captured')
  expectOnly(node, ['P02', 'warning'])
})

test('P02 the API server alone has the old status: not graver than the same at the kubelet', () => {
  const node = healthy(anotherRuns)
  node.pods = node.pods.map((pod) => (pod.uid === web ? {...pod, containers: [{...running, startedAt: ago(hour), containerId: id}]} : pod))
  const {findings} = reportOf(node)
  expect(findings.filter(({severity}) => severity === 'error' || severity === 'critical').map(({code}) => code)).toEqual([])
})

test('P02 k8s#134153: a clock stepped back: attempt 31 runs, and the kubelet looks at attempt 32 that was never begun', () => {
  const node = healthy((each) => {
    each.containers = each.containers.filter((container) => container.id !== id)
    addContainer(each, {uid: web, podName: 'web-0', id, attempt: 31, created: 9 * hour})
    const end = {exitCode: 255, reason: 'Unknown', finishedAt: ago(9 * hour), containerId: 'c-30', terminatedId: 'c-30'}
    each.changePod(web, {
      containers: [
        {name: 'app', kind: 'regular', state: 'waiting', reason: 'CreateContainerError', containerId: 'c-30', last: end, restarts: 31},
      ],
    })
  })
  const {findings} = reportOf(node)
  expect(findings.filter(({severity}) => severity === 'error' || severity === 'critical').map(({code}) => code)).toEqual([])
})

test('P02 the runtime does not know the state of the container that the status names', () => {
  const node = healthy((each) => {
    each.containers = each.containers.map((container) =>
      container.id === id ? {...container, state: ContainerState.CONTAINER_UNKNOWN} : container,
    )
  })
  const {findings} = reportOf(node)
  expect(findings.filter(({severity}) => severity === 'error' || severity === 'critical').map(({code}) => code)).toEqual([])
})
