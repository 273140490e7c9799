import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {detect} from '../../../src/findings/detect.ts'
import {detectors} from '../../../src/findings/detectors.ts'
import {profileOf} from '../../../src/kubelet/profiles.ts'
import type {ContainerProcess} from '../../../src/node/kernel/facts.ts'
import {mapReading, type Reading, read} from '../../../src/node/reading.ts'
import type {ContainerLook, ProcessLook, SeenStatus} from '../../../src/node/runtime/container-look.ts'
import type {Snapshot} from '../../../src/node/snapshot.ts'
import {ContainerState} from '../../../src/wire/gen/cri_pb.ts'
import {answering, lookAt} from '../../support/runtime-looks.ts'
import {gone, runningContainer, type SmallNode, smallNode, web} from '../../support/small-node.ts'
import {at} from '../../support/snapshot-builder.ts'

const app = `id-app-${web}`
const side = `id-side-${web}`
const hour = 3600

interface Given {
  readonly process?: ProcessLook
  readonly look?: Partial<ContainerLook>
  readonly status?: Partial<SeenStatus>
  /** undefined: not read. */
  readonly processes?: Reading<readonly ContainerProcess[]>
  readonly change?: (node: SmallNode) => void
  /** Of every container: what the runtime tells no more, or nobody looked at. */
  readonly untold?: 'pid' | 'process' | 'runtime'
}

/** A second container whose process agrees with it; no process but those given. */
function nodeWith({process = {state: 'gone'}, look = {}, status = {}, processes = read([]), change, untold}: Given): Snapshot {
  const snapshot = smallNode((node) => {
    node.containers.push(runningContainer('side', web, -2 * hour))
    node.answers = answering()
    const [container] = node.containers
    if (container !== undefined) node.looks[app] = lookAt(container, {process, ...look}, status)
    change?.(node)
  })
  const looks = mapReading(snapshot.readings['runtime.container-status'], (all) =>
    all.map((each) => (untold ? without(each, untold) : each)),
  )
  return {...snapshot, readings: {...snapshot.readings, processes, 'runtime.container-status': looks}}
}

function without({pid, process, runtime, ...look}: ContainerLook, field: 'pid' | 'process' | 'runtime'): ContainerLook {
  return {
    ...look,
    ...(field !== 'pid' && pid !== undefined && {pid}),
    ...(field !== 'process' && process !== undefined && {process}),
    ...(field !== 'runtime' && runtime !== undefined && {runtime}),
  }
}

function r08(snapshot: Snapshot) {
  return detect(
    snapshot,
    profileOf('1.36.2'),
    detectors.filter(({code}) => code === 'R08'),
  )
}

const found = (given: Given) => r08(nodeWith(given)).findings.map(({severity, subject}) => `${severity} ${subject.id}`)
const living = (pid: number, state = 'S'): ContainerProcess => ({
  pid,
  startedAt: at(-hour),
  state,
  cgroup: `/kubepods/${app}`,
  containerId: app,
})
const there = (startedAt: number, containerId?: string): ProcessLook => ({
  state: 'there',
  startedAt,
  ...(containerId !== undefined && {containerId}),
})

describe('R08 finds', () => {
  test.each<[string, Given, string]>([
    ['a process that is gone (containerd#12678)', {}, 'error'],
    ['a zombie: nobody waited for it', {process: {state: 'zombie'}}, 'error'],
    ['a pid that another container has by now', {process: there(at(-60), side)}, 'error'],
    ['a pid that a process of the node has, which started long after the container', {process: there(at(-60))}, 'error'],
    ['a process that is gone while another of it lives', {processes: read([living(77)])}, 'warning'],
    ['a process that is gone where not all processes were seen', {processes: read([], 'hidden')}, 'warning'],
    ['a process that is gone where nobody saw the processes', {processes: {state: 'absent', why: 'not here'}}, 'warning'],
    ['a process that is gone, and a zombie of it', {processes: read([living(77, 'Z')])}, 'error'],
    ['a container that started half a minute ago', {status: {startedAt: BigInt(at(-30)) * 1_000_000n}}, 'info'],
    ['a container of which nobody knows since when it runs', {status: {startedAt: 0n, createdAt: 0n}}, 'info'],
    ['a container that started in the future: the clock was set', {status: {startedAt: BigInt(at(999)) * 1_000_000n}}, 'info'],
    ['a container of the default handler of CRI-O', {look: {runtime: 'runc'}}, 'error'],
  ])('%s', (_what, given, severity) => {
    expect(found(given)).toEqual([`${severity} ${app}`])
  })

  test('a container of CRI-O, which tells no runtime, by the handler of its sandbox', () => {
    expect(found({untold: 'runtime', change: withHandler('')})).toEqual([`error ${app}`])
    expect(found({untold: 'runtime', change: withHandler('crun')})).toEqual([`error ${app}`])
    expect(found({untold: 'runtime', change: withHandler('kata-qemu')})).toEqual([])
    expect(found({untold: 'runtime', change: withHandler(undefined)})).toEqual([])
  })
})

/** The containers lie in a sandbox with this handler, or in one that is not listed. */
function withHandler(runtimeHandler: string | undefined) {
  return (node: SmallNode) => {
    for (const container of node.containers) container.podSandboxId = `id-${web}`
    for (const sandbox of node.sandboxes) {
      if (runtimeHandler === undefined) sandbox.id = 'other'
      else sandbox.runtimeHandler = runtimeHandler
    }
  }
}

describe('R08 is silent about', () => {
  test.each<[string, Given]>([
    ['a process that is there', {process: there(at(-hour), app)}],
    ['a process that is there, although the clock was set since', {process: there(at(-60), app)}],
    ['a process whose cgroup tells nothing and that started with the container', {process: there(at(-hour))}],
    [
      'a process whose cgroup names a container that the runtime does not have: the node may be one',
      {process: there(at(-hour), 'f'.repeat(64))},
    ],
    ['a container that has ended by now', {status: {state: ContainerState.CONTAINER_EXITED}}],
    ['a container that was only created', {status: {state: ContainerState.CONTAINER_CREATED}}],
    ['kata: the pid is that of the virtual machine', {look: {runtime: 'io.containerd.kata.v2'}}],
    ['gVisor', {look: {runtime: 'io.containerd.runsc.v1'}}],
    ['a handler of CRI-O that we do not know', {look: {runtime: 'kata-qemu'}}],
  ])('%s', (_what, given) => {
    expect(found(given)).toEqual([])
  })

  test('a late start where no process agrees with its container: the clock was set', () => {
    const late: Given = {process: there(at(-60)), change: (node) => (node.looks[side] = {process: there(at(0), side)})}
    expect(found(late)).toEqual([])
  })

  test('a late start where only a younger container agrees: the clock was set in between', () => {
    const young = (node: SmallNode) => {
      node.containers = node.containers.map((each) => (each.id === side ? runningContainer('side', web, -60) : each))
    }
    expect(found({process: there(at(-60)), change: young})).toEqual([])
  })
})

test('R08 says that it cannot tell of one container, and looks at the others', () => {
  const {findings, looked, unseen} = r08(nodeWith({look: {runtime: 'io.containerd.kata.v2'}}))
  expect([findings, looked]).toEqual([[], ['R08']])
  expect(unseen.find(({source}) => source === 'runtime.container-status')?.why).toMatch(
    `nothing tells whether the main process of container ${app} lives`,
  )
})

test.each(['pid', 'process'] as const)('R08 has not looked where there is no %s of any container', (untold) => {
  const {findings, looked, unseen} = r08(nodeWith({untold}))
  expect([findings, looked]).toEqual([[], []])
  expect(unseen.find(({source}) => source === 'runtime.container-status')?.why).toMatch('the main process of 2 containers')
})

test('R08 has not looked where no status was read', () => {
  const {looked, unseen} = r08(nodeWith({change: (node) => node.without.push('runtime.container-status')}))
  expect([looked, unseen.find(({source}) => source === 'runtime.container-status')?.why]).toEqual([[], 'taken away'])
})

test('R08 knows since when a pid is that of another', () => {
  expect(r08(nodeWith({process: there(at(-60), side)})).findings.map(({since}) => since)).toEqual(['2026-11-30T02:59:00Z'])
  expect(r08(nodeWith({})).findings.map(({since}) => since)).toEqual([undefined])
})

test('R08 names what lives in the cgroup, and that nothing can end it', () => {
  const [finding] = r08(nodeWith({processes: read([living(77, 'D')])})).findings
  expect(finding?.evidence).toContainEqual({
    source: 'processes',
    fact: `process 77 lives in /kubepods/${app}, in uninterruptible sleep: nothing can end it`,
  })
  expect(finding?.message).toMatch(/Another process of it still lives\.$/)
})

test('R08 restarts the runtime before it looks for whoever holds the root file system', () => {
  const [finding] = r08(nodeWith({})).findings
  expect(finding?.remedy.map(({command}) => command)).toEqual([
    `crictl -r unix:///run/containerd/containerd.sock inspect ${app}`,
    'systemctl restart containerd',
    `grep -l ${app} /proc/[0-9]*/mountinfo`,
  ])
})

test('R08 never doubts a process in the cgroup of its own container, and never throws', () => {
  const process = fc.record({state: fc.constant('there' as const), startedAt: fc.double(), containerId: fc.constant(app)})
  const times = fc.record({startedAt: fc.bigInt(), createdAt: fc.bigInt(), finishedAt: fc.bigInt()})
  fc.assert(
    fc.property(process, times, (each, status) => {
      expect(found({process: each, status})).toEqual([])
      r08(nodeWith({process: {...each, containerId: gone}, status}))
      r08(nodeWith({process: {...each, containerId: side}, status}))
    }),
  )
})
