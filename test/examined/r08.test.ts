import {expect, test} from 'vitest'
import {absent, read} from '../../src/node/reading.ts'
import type {ProcessLook} from '../../src/node/runtime/container-look.ts'
import {ContainerState, PodSandboxState} from '../../src/wire/gen/cri_pb.ts'
import {expectAtMostInfo, expectNone, expectOnly, expectSilent, reportOf} from '../support/examined/expect.ts'
import {db, healthy, web} from '../support/examined/healthy.ts'
import {ago, day, type ExaminedNode, hour, scopeOf} from '../support/examined/node.ts'
import {addProcess, processGone} from '../support/examined/runtime.ts'
import {runningForEver} from '../support/examined/runtime-pictures.ts'

const id = `c-${web}`

function looks(node: ExaminedNode, process: ProcessLook, of = id): void {
  node.containerLooks.set(of, {process})
}

test('R08 containerd#12678: the runtime says RUNNING and the process is gone', () => {
  expectOnly(healthy(runningForEver), ['R08', 'error', {kind: 'Container', id}])
})

test('R08 crio#9274: its process is a zombie', () => {
  expectOnly(
    healthy((node) => looks(node, {state: 'zombie'})),
    ['R08', 'error', {kind: 'Container', id}],
  )
})

test('R08 the pid is that of another container by now', () => {
  expectOnly(
    healthy((node) => looks(node, {state: 'there', startedAt: ago(hour), containerId: `c-${db}`})),
    ['R08', 'error', {kind: 'Container', id}],
  )
})

test("R08 look-alike: a virtual machine, whose pid is nobody's", () => {
  const snapshot = healthy((node) => node.containerLooks.set(id, {runtime: 'io.containerd.kata.v2'})).snapshot()
  const statuses = snapshot.readings['runtime.container-status']
  if (statuses.state !== 'read') throw new Error('Cannot change the statuses as they must be read')
  const without = statuses.value.map(({process, pid, ...look}) =>
    look.id === id ? look : {...look, ...(process && {process}), ...(pid !== undefined && {pid})},
  )
  expectSilent({...snapshot, readings: {...snapshot.readings, 'runtime.container-status': read(without)}})
})

test.each(['io.containerd.kata.v2', 'io.containerd.runsc.v1'])('R08 look-alike: the pid that %s tells is none of this node', (runtime) => {
  expectAtMostInfo(healthy((node) => node.containerLooks.set(id, {runtime, process: {state: 'gone'}})))
})

test('R08 look-alike: a step of the clock by an hour: every process seems to have started at another time', () => {
  const node = healthy()
  for (const each of node.containers) looks(node, {state: 'there', startedAt: ago(day - hour)}, each.id)
  expectAtMostInfo(node)
})

test('R08 look-alike: the runtime counts in another pid namespace: no pid leads to a process', () => {
  const snapshot = healthy().snapshot()
  const statuses = snapshot.readings['runtime.container-status']
  if (statuses.state !== 'read') throw new Error('Cannot change the statuses as they must be read')
  const without = statuses.value.map(({process: _, ...look}) => look)
  expectSilent({...snapshot, readings: {...snapshot.readings, 'runtime.container-status': read(without), processes: absent('not ours')}})
})

test('R08 look-alike: all pids are gone at once, and all containers have processes in their cgroups', () => {
  const node = healthy((each) => {
    for (const container of each.containers) {
      processGone(each, container.id)
      addProcess(each, scopeOf(container.labels['io.kubernetes.pod.uid'] ?? '', container.id), day)
    }
  })
  const {findings} = reportOf(node)
  expect(findings.filter(({severity}) => severity === 'error' || severity === 'critical').map(({code}) => code)).toEqual([])
})

test('R08 look-alike: it ended between the list and the look', () => {
  const node = healthy((each) => {
    processGone(each, id)
    each.containerStatuses.set(id, {state: ContainerState.CONTAINER_EXITED, finishedAt: BigInt(ago(0)) * 1_000_000n})
  })
  expectAtMostInfo(node)
})

test('R08 look-alike: the zero of the year 1 as the end of what runs', () => {
  expectSilent(healthy((node) => node.containerStatuses.set(id, {finishedAt: -6_795_364_578_871_345_152n})))
})

test('R08 it has started 30 s ago: at most info', () => {
  const node = healthy((each) => {
    each.stop(web)
    each.runs('web-0', web, {started: 30})
    processGone(each, id)
  })
  expectAtMostInfo(node)
})

test('R08 something else lives in its cgroup: warning', () => {
  const node = healthy((each) => {
    processGone(each, id)
    addProcess(each, scopeOf(web, id), day)
  })
  expectOnly(node, ['R08', 'warning', {kind: 'Container', id}])
})

test('R08 not all processes were seen: warning', () => {
  const node = healthy(runningForEver)
  node.readings.processes = read([], "/proc is not the machine's")
  expectOnly(node, ['R08', 'warning', {kind: 'Container', id}])
})

test('R08 the processes were not read: warning', () => {
  const node = healthy(runningForEver)
  node.readings.processes = absent('not captured')
  expectOnly(node, ['R08', 'warning', {kind: 'Container', id}])
})

test('R08 the statuses were not read: nothing tells a pid', () => {
  const node = healthy(runningForEver)
  node.readings['runtime.container-status'] = absent('not captured')
  expectNone(node, 'R08')
})

test('R08 the list of containers broke off', () => {
  const node = healthy(runningForEver)
  node.readings['runtime.containers'] = read(node.containers, 'the reply broke off')
  expect(expectNone(node, 'R08').looked).not.toContain('R08')
})

test('R08 containerd#11029: its sandbox is not ready, too', () => {
  const node = healthy(runningForEver)
  node.sandboxes = node.sandboxes.map((each) => (each.metadata?.uid === web ? {...each, state: PodSandboxState.SANDBOX_NOTREADY} : each))
  expect(
    reportOf(node)
      .findings.filter(({code}) => code === 'R08')
      .map(({severity}) => severity),
  ).toEqual(['error'])
})

test.each([ContainerState.CONTAINER_CREATED, ContainerState.CONTAINER_UNKNOWN, 9 as ContainerState])(
  'R08 the state is %d: it is not RUNNING',
  (state) => {
    const node = healthy((each) => {
      each.containers = each.containers.map((container) => (container.id === id ? {...container, state} : container))
      each.containerLooks.set(id, {pid: 4, process: {state: 'gone'}})
    })
    expectNone(node, 'R08')
  },
)

test('R08 it was created at 0: nothing tells its age', () => {
  const node = healthy((each) => {
    processGone(each, id)
    each.containers = each.containers.map((container) => (container.id === id ? {...container, createdAt: 0n} : container))
    each.containerStatuses.set(id, {createdAt: 0n, startedAt: 0n})
  })
  expect(
    reportOf(node)
      .findings.filter(({code}) => code === 'R08')
      .map(({severity}) => severity),
  ).toEqual(['info'])
})

test('R08 no other finding takes it for something that runs or writes', () => {
  const report = reportOf(healthy(runningForEver))
  expect(report.findings.map(({code}) => code)).toEqual(['R08'])
})
