import {expect, test} from 'vitest'
import {read} from '../../../src/node/reading.ts'
import {ContainerState} from '../../../src/wire/gen/cri_pb.ts'
import {findingsOf} from '../../support/brief-findings.ts'
import {container, hour, left, process, sandbox, settled} from '../../support/runtime-things.ts'
import {gone, type SmallNode, smallNode, web} from '../../support/small-node.ts'

const r06 = (change: (node: SmallNode) => unknown) => findingsOf(smallNode((node) => void change(node))).filter(({code}) => code === 'R06')
const severities = (change: (node: SmallNode) => unknown) => r06(change).map(({severity}) => severity)
const second = {id: 'second', pod: 'web-0', attempt: 1, age: 600}
/** A second copy of the container app of web-0. */
const twice =
  (given: Parameters<typeof container>[1] = {}) =>
  (node: SmallNode) => {
    settled(node)
    node.containers.push(container(web, {...second, ...given}))
  }

test.each<[string, (node: SmallNode) => unknown, string]>([
  ['attempts 0 and 1 for ten minutes (kubernetes#98520)', twice(), 'critical'],
  ['the same attempt', twice({attempt: 0}), 'critical'],
  [
    'in two sandboxes',
    (node) => {
      twice({sandbox: 'other'})(node)
      node.sandboxes.push(sandbox(web, {id: 'other', name: 'web-0', attempt: 1}))
    },
    'critical',
  ],
  ['for half a minute', twice({age: 30}), 'info'],
  [
    'the first with createdAt 0 (containerd#3873)',
    (node) => {
      twice()(node)
      node.containers = node.containers.map((each) => (each.id === 'second' ? each : {...each, createdAt: 0n}))
    },
    'critical',
  ],
  [
    'of a start that nobody tells',
    (node) => {
      twice()(node)
      const never = {createdAt: 0n, startedAt: 0n, finishedAt: 0n, exitCode: 0, reason: ''}
      const process = {state: 'there', startedAt: 0, containerId: 'second'} as const
      node.looks.second = {status: {state: ContainerState.CONTAINER_RUNNING, ...never}, process}
    },
    'info',
  ],
])('R06 finds a container that runs twice: %s', (_what, change, severity) => {
  expect(severities(change)).toEqual([severity])
})

test('R06 names both, since when both run, and stops the lower attempt', () => {
  const [finding] = r06(twice())
  expect(finding).toMatchObject({
    subject: {kind: 'Container', namespace: 'default', name: 'app', pod: 'web-0', podUid: web},
    message: `Container app of default/web-0 runs 2 times: id-app-111111 (attempt 0), second (attempt 1).`,
    since: '2026-11-30T02:50:00Z',
    cause: null,
  })
  expect(finding?.remedy.at(-1)?.command).toBe(`crictl stop --timeout 30 id-app-${web}`)
})

test('R06 of a pod that nobody has follows from R03', () => {
  const findings = findingsOf(
    smallNode((node) => {
      left(node)
      node.containers.push(container(gone, {id: 'second', attempt: 1, age: hour}))
    }),
  )
  const running = findings.find(({code}) => code === 'R03')
  expect(findings.find(({code}) => code === 'R06')?.cause).toEqual({code: 'R03', subject: running?.subject})
})

test.each<[string, (node: SmallNode) => unknown]>([
  ['the other one has another name: an init or ephemeral container', twice({name: 'debugger-1'})],
  [
    'the pods have the same name and different UIDs',
    (node) => {
      settled(node)
      node.containers.push(container(gone, second))
    },
  ],
  ['one has exited', twice({state: ContainerState.CONTAINER_EXITED})],
  ['one is not started yet', twice({state: ContainerState.CONTAINER_CREATED})],
  [
    'one has no process any more (R08)',
    (node) => {
      twice()(node)
      node.looks.second = {process: {state: 'gone'}}
    },
  ],
  [
    'the pid of one is now a process of another container',
    (node) => {
      twice()(node)
      node.looks.second = {process: {state: 'there', startedAt: 0, containerId: 'x'}}
    },
  ],
  [
    'a list has one id twice',
    (node) => {
      settled(node)
      node.containers.push(...node.containers)
    },
  ],
  [
    'crictl made one of them: it has no labels',
    (node) => {
      twice()(node)
      node.containers = node.containers.map((each) => (each.id === 'second' ? {...each, labels: {}} : each))
    },
  ],
])('R06 finds nothing when %s', (_what, change) => {
  expect(r06(change)).toEqual([])
})

test('R06 counts by the processes where the statuses broke off, and not at all where neither was read', () => {
  const change = (node: SmallNode) => {
    twice()(node)
    node.processes = [process(web, `id-app-${web}`), process(web, 'second', {age: 600})]
  }
  const snapshot = smallNode(change)
  const brokenOff = {...snapshot, readings: {...snapshot.readings, 'runtime.container-status': read([], 'it broke off')}}
  expect(findingsOf(brokenOff).map(({code, severity}) => [code, severity])).toContainEqual(['R06', 'critical'])
  const blind = smallNode((node) => {
    change(node)
    node.without = ['runtime.container-status', 'processes']
  })
  expect(findingsOf(blind).filter(({code}) => code === 'R06')).toEqual([])
})
