import {expect, test} from 'vitest'
import {absent, failed, read} from '../../src/node/reading.ts'
import {ContainerState} from '../../src/wire/gen/cri_pb.ts'
import {expectAtMostInfo, expectNone, expectOnly, expectSilent, reportOf} from '../support/examined/expect.ts'
import {gone, healthy, web} from '../support/examined/healthy.ts'
import {ago, day, hour, minute} from '../support/examined/node.ts'
import {addContainer, addSandbox, processGone} from '../support/examined/runtime.ts'
import {olderCopy, runsTwice} from '../support/examined/runtime-pictures.ts'

const older = olderCopy
const newer = `c-${web}`

test('R06 k8s#98520: two containers of one name run in one pod', () => {
  const report = expectOnly(healthy(runsTwice), ['R06', 'critical'])
  const text = JSON.stringify(report.findings)
  for (const word of [web, older, newer]) expect(text).toContain(word)
})

test('R06 what is to be stopped is the lower attempt, which the kubelet does not see', () => {
  const stops = reportOf(healthy(runsTwice))
    .findings.flatMap(({remedy}) => remedy.map(({command}) => command))
    .filter((command) => /\bstop\b/.test(command))
  expect(stops.join('\n')).toContain(older)
  expect(stops.join('\n')).not.toContain(newer)
})

test('R06 look-alike: the first copy has ended', () => {
  expectSilent(healthy((node) => runsTwice(node, {state: ContainerState.CONTAINER_EXITED})))
})

test.each(['init', 'regular', 'ephemeral'] as const)('R06 look-alike: another container of the pod, %s', (kind) => {
  const node = healthy((each) => {
    runsTwice(each, {name: 'other'})
    const running = {state: 'running', startedAt: ago(day)} as const
    each.changePod(web, {
      containers: [
        {name: 'app', kind: 'regular', containerId: newer, ...running},
        {name: 'other', kind, containerId: older, ...running},
      ],
    })
  })
  expectSilent(node)
})

test('R06 look-alike: two pods of one name that have different UIDs', () => {
  const node = healthy((each) => {
    each.pod('web-0', gone, [], {createdAt: ago(hour)})
    each.runs('web-0', gone, {started: hour})
  })
  expectSilent(node)
})

test('R06 look-alike: the list has an id twice', () => {
  const node = healthy()
  node.containers = [...node.containers, ...node.containers]
  expectAtMostInfo(node)
})

test('R06 the younger has started 30 s ago: at most info', () => {
  expectAtMostInfo(healthy((node) => runsTwice(node, {age: 30})))
})

test('R06 the younger is from the future, by a step of the clock of -40 s: at most info', () => {
  expectAtMostInfo(healthy((node) => runsTwice(node, {age: -40})))
})

test('R06 k8s#83705: both have ended: it ran more than once, and does not run twice', () => {
  const node = healthy((each) => {
    each.stop(web)
    const sandbox = addSandbox(each, {uid: web, name: 'web-0', ready: false})
    for (const [attempt, id] of [older, newer].entries())
      addContainer(each, {
        uid: web,
        podName: 'web-0',
        id,
        attempt,
        sandbox,
        created: hour - attempt,
        state: ContainerState.CONTAINER_EXITED,
      })
    const end = {exitCode: 0, reason: 'Completed', finishedAt: ago(hour - minute), containerId: newer, terminatedId: newer}
    each.changePod(web, {
      phase: 'Succeeded',
      restartPolicy: 'Never',
      containers: [{name: 'app', kind: 'regular', state: 'terminated', ...end}],
    })
  })
  expectAtMostInfo(node)
})

test('R06 the first copy has no process: it is R08, and nothing runs twice', () => {
  const node = healthy((each) => {
    runsTwice(each)
    processGone(each, older)
  })
  expectNone(node, 'R06')
  expect(reportOf(node).findings.map(({code}) => code)).toContain('R08')
})

test('R06 containerd#3873: the first copy came back with createdAt 0', () => {
  const node = healthy((each) => {
    runsTwice(each)
    each.containers = each.containers.map((container) => (container.id === older ? {...container, createdAt: 0n} : container))
    each.containerLooks.set(older, {process: {state: 'there', startedAt: ago(day), containerId: older}})
    each.containerStatuses.set(older, {createdAt: 0n, startedAt: 0n})
  })
  expectOnly(node, ['R06', 'critical'], ['R10', 'warning'])
})

test('R06 two records have the same attempt', () => {
  const node = healthy((each) => {
    runsTwice(each)
    each.containers = each.containers.map((container) =>
      container.id === newer && container.metadata ? {...container, metadata: {...container.metadata, attempt: 0}} : container,
    )
  })
  const {findings} = reportOf(node)
  expect(findings.filter(({code}) => code === 'R06').map(({severity}) => severity)).toEqual(['critical'])
})

test('R06 they are in two sandboxes of the pod, the older of which is not ready', () => {
  const node = healthy((each) => {
    each.stop(web)
    const old = addSandbox(each, {uid: web, name: 'web-0', attempt: 0, created: day})
    const sandbox = addSandbox(each, {uid: web, name: 'web-0', attempt: 1, created: hour, ready: true})
    addContainer(each, {uid: web, podName: 'web-0', id: older, sandbox: old})
    addContainer(each, {uid: web, podName: 'web-0', id: newer, sandbox, created: hour})
  })
  expect(
    reportOf(node)
      .findings.filter(({code}) => code === 'R06')
      .map(({severity}) => severity),
  ).toEqual(['critical'])
})

test('R06 the state of the first copy is one that we do not know', () => {
  expectNone(
    healthy((node) => runsTwice(node, {state: 9 as ContainerState})),
    'R06',
  )
})

test('R06 the list of containers broke off', () => {
  const node = healthy(runsTwice)
  node.readings['runtime.containers'] = read(node.containers, 'the reply broke off')
  expect(expectNone(node, 'R06').looked).not.toContain('R06')
})

test('R06 neither the statuses nor the processes were read: it is not looked for', () => {
  const node = healthy(runsTwice)
  node.readings['runtime.container-status'] = failed('it hung', 5000)
  node.readings.processes = absent('not captured')
  expect(expectNone(node, 'R06').looked).not.toContain('R06')
})

test('R06 the kubelet does not answer: the runtime alone shows it', () => {
  const node = healthy(runsTwice)
  node.readings['kubelet.pods'] = absent('not captured')
  node.readings['api.pods'] = absent('not captured')
  expect(
    reportOf(node)
      .findings.filter(({code}) => code === 'R06')
      .map(({severity}) => severity),
  ).toEqual(['critical'])
})
