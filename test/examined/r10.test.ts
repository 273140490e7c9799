import {expect, test} from 'vitest'
import {parsePods} from '../../src/node/pod.ts'
import {read} from '../../src/node/reading.ts'
import {ContainerState} from '../../src/wire/gen/cri_pb.ts'
import {expectAtMostInfo, expectNone, expectOnly, expectSilent, reportOf} from '../support/examined/expect.ts'
import {gone, healthy, proxy, web} from '../support/examined/healthy.ts'
import {ago, day, type ExaminedNode, hour, minute, without} from '../support/examined/node.ts'
import {addContainer, addSandbox, nanos} from '../support/examined/runtime.ts'
import {steppedBack} from '../support/examined/runtime-pictures.ts'

const id = `c-${web}`
const goZero = -6_795_364_578_871_345_152n

function createdAt(node: ExaminedNode, moment: bigint): void {
  node.containers = node.containers.map((each) => (each.id === id ? {...each, createdAt: moment} : each))
  node.containerStatuses.set(id, {startedAt: nanos(day)})
}

test('R10 k8s#127948: the later sandbox of a pod is the older one', () => {
  const report = expectOnly(healthy(steppedBack), ['R10', 'error'])
  expect(JSON.stringify(report.findings[0]?.subject)).toContain(web)
})

test.each([
  ['0 (containerd#3873)', 0n],
  ['the zero of the year 1', goZero],
  ['-1', -1n],
  ['in seconds', BigInt(ago(day)) / 1000n],
  ['in milliseconds', BigInt(ago(day))],
  ['an hour ahead', nanos(-hour)],
])('R10 a container was created at %s', (_, moment) => {
  const report = expectOnly(
    healthy((node) => createdAt(node, moment)),
    ['R10', 'warning'],
  )
  expect(JSON.stringify(report.findings)).toContain(web)
})

test.each([0n, goZero])('R10 look-alike: what runs has ended at %d', (finishedAt) => {
  expectSilent(healthy((node) => node.containerStatuses.set(id, {finishedAt})))
})

test('R10 look-alike: a container that was only created has no other time', () => {
  const node = healthy((each) => {
    each.containers = each.containers.map((container) =>
      container.id === id ? {...container, state: ContainerState.CONTAINER_CREATED, createdAt: nanos(5)} : container,
    )
    each.changePod(web, {
      createdAt: ago(10),
      phase: 'Pending',
      containers: [{name: 'app', kind: 'regular', state: 'waiting', reason: 'ContainerCreating'}],
    })
  })
  expectAtMostInfo(node)
  expectNone(node, 'R10')
})

test('R10 look-alike: containerd 1.6 tells 1970 for the start of a container that never started', () => {
  const node = healthy((each) => {
    addContainer(each, {uid: web, podName: 'web-0', id: 'c-bad', name: 'bad', state: ContainerState.CONTAINER_EXITED})
    each.containerStatuses.set('c-bad', {startedAt: 0n, exitCode: 128, reason: 'StartError'})
  })
  expectNone(node, 'R10')
})

test('R10 look-alike: attempts begin anew in a new sandbox', () => {
  const node = healthy((each) => {
    each.stop(web)
    const old = addSandbox(each, {uid: web, name: 'web-0', attempt: 0, created: day})
    const sandbox = addSandbox(each, {uid: web, name: 'web-0', attempt: 1, created: hour, ready: true})
    const state = ContainerState.CONTAINER_EXITED
    addContainer(each, {uid: web, podName: 'web-0', id: 'c-old', attempt: 5, created: 2 * hour, sandbox: old, state})
    addContainer(each, {uid: web, podName: 'web-0', id, attempt: 0, created: hour, sandbox})
  })
  expectSilent(node)
})

test('R10 look-alike: our clock is 40 s behind: what was made just now is from the future', () => {
  expectSilent(
    healthy((node) => {
      node.stop(web)
      node.runs('web-0', web, {started: -40})
    }),
  )
})

test('R10 look-alike: a static pod has no creationTimestamp at the kubelet', () => {
  const node = healthy()
  node.pods = node.pods.map((pod) => {
    if (pod.uid !== proxy) return pod
    const {createdAt: _, ...rest} = pod
    return rest
  })
  expectSilent(node)
})

test('R10 look-alike: deletionTimestamp includes a grace of an hour, and so lies ahead', () => {
  expectSilent(healthy((node) => node.changePod(web, {deletedAt: ago(-hour), graceMs: hour * 1000})))
})

test('R10 look-alike: two attempts were created in the same moment', () => {
  expectSilent(healthy((node) => steppedBack(node, {first: hour, second: hour})))
})

test('R10 look-alike: a leap second is the creation of a pod', () => {
  const metadata = {name: 'web-0', namespace: 'shop', uid: web, creationTimestamp: '2016-12-31T23:59:60Z'}
  const status = {
    phase: 'Running',
    containerStatuses: [{name: 'app', containerID: `containerd://${id}`, state: {running: {startedAt: '2016-12-31T23:59:60Z'}}}],
  }
  const [leap] = parsePods({kind: 'PodList', items: [{metadata, status}]})
  const node = healthy()
  node.pods = node.pods.map((pod) => (pod.uid === web && leap ? {...leap, volumes: pod.volumes} : pod))
  expectSilent(node)
})

test('R10 the order is right: nothing', () => {
  expectSilent(healthy((node) => steppedBack(node, {first: day, second: hour})))
})

test('R10 the pod is another: attempts of two pods have no order', () => {
  const node = healthy((each) => {
    each.pod('last-0', gone, [])
    addSandbox(each, {uid: gone, attempt: 1, created: day, ready: true})
    addContainer(each, {uid: gone, id: `c-${gone}`, sandbox: `s-${gone}-1`, created: day})
  })
  expectNone(node, 'R10')
})

test('R10 a step of -40 s between two attempts of a container: warning', () => {
  const node = healthy((each) => {
    each.stop(web)
    const sandbox = addSandbox(each, {uid: web, name: 'web-0', created: day, ready: true})
    addContainer(each, {
      uid: web,
      podName: 'web-0',
      id: 'c-old',
      attempt: 31,
      created: hour,
      sandbox,
      state: ContainerState.CONTAINER_EXITED,
    })
    addContainer(each, {uid: web, podName: 'web-0', id, attempt: 32, created: hour + 40, sandbox})
  })
  expectOnly(node, ['R10', 'warning'])
})

test('R10 the pod was deleted before it was created (k8s#92368)', () => {
  const node = healthy((each) => each.changePod(web, {createdAt: ago(hour), deletedAt: ago(2 * day)}))
  const {findings} = reportOf(node)
  expect(findings.filter(({code}) => code === 'R10').map(({severity}) => severity)).toEqual(['warning'])
})

test('R10 the node booted in 1970, and the time server came after the kubelet', () => {
  const node = healthy()
  node.readings['kernel.boot'] = read({id: 'b', at: 40_000})
  expectOnly(node, ['R10', 'warning'])
})

test('R10 a sandbox was made in 1970, before the time server answered, and its pod runs', () => {
  const node = healthy((each) => {
    each.sandboxes = each.sandboxes.map((sandbox) => (sandbox.metadata?.uid === web ? {...sandbox, createdAt: 60_000_000_000n} : sandbox))
  })
  expectOnly(node, ['R10', 'warning'])
})

// The creation of a pod is told by the clock of the API server, and which of the two is wrong nobody knows.
test('R10 the API server and the node are an hour apart: the pod is from the future', () => {
  expectAtMostInfo(healthy((each) => each.changePod(web, {createdAt: ago(-hour)})))
})

test.each(['runtime.containers', 'runtime.sandboxes'] as const)('R10 %s was not read: it is not looked for', (source) => {
  expect(expectNone(without(healthy(steppedBack).snapshot(), source), 'R10').looked).not.toContain('R10')
})

test('R10 the statuses were not read: the lists tell it', () => {
  const {findings} = reportOf(without(healthy(steppedBack).snapshot(), 'runtime.container-status'))
  expect(findings.filter(({code}) => code === 'R10').map(({severity}) => severity)).toEqual(['error'])
})

test('R10 the first sandbox was made 4 minutes ahead of now, which a clock may be', () => {
  expectNone(
    healthy((node) => addSandbox(node, {uid: gone, created: -4 * minute})),
    'R10',
  )
})
