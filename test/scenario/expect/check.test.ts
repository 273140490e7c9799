import * as v from 'valibot'
import {describe, expect, test} from 'vitest'
import {check} from '../../../src/scenario/expect/check.ts'
import {expectationSchema} from '../../../src/scenario/schema/expectation.ts'
import {bare, call, container, failed, log, recordOf, seen, step} from '../../support/run-record.ts'

const record = recordOf([
  step(0, 'create default/p'),
  seen(1, {type: 'ADDED', phase: 'Pending', containers: {main: {waiting: {reason: 'ContainerCreating'}}}}),
  call(2, 'RunPodSandbox', {ends: 2.5}),
  container(3, 'started'),
  seen(4, {containers: {main: {running: {}}}}),
  step(5, 'delete default/p'),
  seen(5, {terminating: true, containers: {main: {running: {}}}}),
  call(6, 'StopContainer', {request: {timeout: 10}, outcome: 'DEADLINE_EXCEEDED', ends: 20, fault: 'slow'}),
  container(7, 'exited', {exitCode: 1, reason: 'Error'}),
  seen(8, {phase: 'Failed', terminating: true, containers: {main: failed}}),
  log(9, 'Status update on pod aborted', {fields: {container: 'main'}}),
  seen(10, {phase: 'Failed', terminating: true, containers: {main: bare}}),
  call(11, 'StopPodSandbox'),
  seen(12, {pod: 'default/other-0', type: 'ADDED', phase: 'Pending'}),
])

/** As a file has it. */
const checked = (expectation: unknown) => check(v.parse(expectationSchema, expectation), record)

const bareExit = {state: 'terminated', exitCode: 0, reason: 'absent', containerID: 'absent', finishedAt: 'absent'}

describe('check() of eventually', () => {
  test.each([
    ['an event of the runtime', {runtime: 'exited', pod: 'p', container: 'main', exitCode: 1, reason: 'Error'}],
    [
      'a state that a watcher saw',
      {watch: 'MODIFIED', phase: 'Failed', terminating: true, containers: {main: {exitCode: 1, containerID: 'present'}}},
    ],
    ['an end that was made up', {watch: 'any', containers: {main: bareExit}}],
    ['a call by a field of its request', {call: 'StopContainer', to: 'cri', request: {timeout: 10}}],
    ['a call by its fault', {call: 'any', fault: 'slow'}],
    ['a line of the log by a part of it', {log: 'aborted', pod: 'p', fields: {container: 'main'}}],
    ['a step', {step: 'delete'}],
    ['a pod by the beginning of its name', {watch: 'ADDED', pod: 'other-*'}],
    ['a container that is not there yet', {watch: 'ADDED', pod: 'other-0', containers: {main: {state: 'absent'}}}],
  ])('check() holds for %s', (_, eventually) => {
    expect(checked({eventually})).toMatchObject({held: true, event: {}})
  })

  test.each([
    ['another pod', {runtime: 'exited', pod: 'q'}],
    ['another code', {runtime: 'exited', exitCode: 0}],
    ['a call that has not ended', {call: 'StopPodSandbox', outcome: 'any'}],
    ['a call that was answered otherwise', {call: 'StopContainer', outcome: 'OK'}],
    ['a failure of the other class', {call: 'StopContainer', class: 'final'}],
    ['another service', {call: 'StopContainer', to: 'csi'}],
    ['another state', {watch: 'any', containers: {main: {state: 'terminated', exitCode: 1, containerID: 'absent'}}}],
    ['another field of a line', {log: 'aborted', fields: {container: 'other'}}],
    ['a phase that another pod has', {watch: 'ADDED', pod: 'other-0', phase: 'Failed'}],
  ])('check() does not hold for %s', (_, eventually) => {
    expect(checked({eventually})).toMatchObject({held: false})
  })

  test('check() knows the class of a failure, and counts it from the end of the call', () => {
    const eventually = {call: 'StopContainer', class: 'uncertain'}
    expect(checked({eventually, after: {runtime: 'exited'}, within: '13s'})).toMatchObject({held: true})
  })

  test('check() counts a call that is asked for by its outcome from its end', () => {
    const eventually = {call: 'StopContainer', outcome: 'DEADLINE_EXCEEDED'}
    expect(checked({eventually, after: {runtime: 'exited'}, within: '13s'})).toMatchObject({held: true})
    expect(checked({eventually, after: {runtime: 'exited'}, within: '12s'})).toMatchObject({held: false})
    expect(checked({eventually: {call: 'StopContainer'}, after: {runtime: 'exited'}})).toMatchObject({held: false})
  })

  test('check() says how late it was', () => {
    expect(checked({eventually: {runtime: 'exited'}, after: {step: 'delete'}, within: 1}).why).toBe(
      'runtime: exited default/p main 1 Error at 7 s, 2 s after what it had to follow within 1 s',
    )
  })

  test('check() says what was never called, and what came closest', () => {
    expect(checked({eventually: {call: 'NodeUnstageVolume', pod: 'p'}}).why).toBe(
      'NodeUnstageVolume of default/p was never called; last was cri: StopPodSandbox default/p at 11 s',
    )
  })

  test('check() of what must follow what never was does not hold', () => {
    expect(checked({eventually: {runtime: 'exited'}, after: {step: 'evict'}})).toEqual({
      held: false,
      why: "the step 'evict' never happened",
    })
  })
})

describe('check() of never', () => {
  const never = {watch: 'any', containers: {main: {state: 'terminated'}}}
  test.each([
    ['anywhere', {}, false],
    ['until what came before it', {until: {runtime: 'exited'}}, true],
    ['until what came after it', {until: {log: 'aborted'}}, false],
    ['since what came after it', {since: {call: 'StopPodSandbox'}}, true],
    ['since what is the thing itself', {since: {watch: 'any', containers: {main: {exitCode: 0}}}}, false],
    ['between moments from the start', {since: '1s', until: '8s'}, true],
    ['until what never came, which is to the end', {until: {step: 'evict'}}, false],
    ['since what never came, of which nothing can be said', {since: {step: 'evict'}}, false],
  ])('check() of never %s', (_, window, held) => {
    expect(checked({never, ...window})).toMatchObject({held})
  })
})

describe('check() of ordered', () => {
  const exits = (exitCode: number) => ({watch: 'MODIFIED', containers: {main: {exitCode}}})
  test.each([
    ['in that order', [exits(1), exits(0)], true],
    ['in the other order', [exits(0), exits(1)], false],
    ['with the same event twice', [exits(1), exits(1)], false],
    ['of one millisecond, in the order of the timeline', [{step: 'delete'}, {watch: 'any', terminating: true}], true],
    ['with the end of a call where it ended', [{call: 'StopPodSandbox'}, {call: 'StopContainer', outcome: 'any'}], true],
  ])('check() of events %s', (_, ordered, held) => {
    expect(checked({ordered})).toMatchObject({held})
  })

  test('check() says after what it looked in vain', () => {
    expect(checked({ordered: [exits(0), {runtime: 'removed'}]}).why).toMatch(
      /^a container removed never happened after watch: MODIFIED default\/p Failed, Terminating; main terminated 0 without times at 10 s$/,
    )
  })
})

test.each([
  [{of: {watch: 'MODIFIED', pod: 'p'}, min: 4, max: 4}, true],
  [{of: {watch: 'MODIFIED', pod: 'p'}, max: 3}, false],
  [{of: {watch: 'DELETED'}, min: 1}, false],
  [{of: {watch: 'DELETED'}, max: 0}, true],
])('check() of count %j', (count, held) => {
  expect(checked({count})).toMatchObject({held})
})

test('check() of last takes the last that was seen of this pod, and says what it was', () => {
  expect(checked({last: {pod: 'p', phase: 'Failed', containers: {main: bareExit}}})).toMatchObject({held: true})
  expect(checked({last: {pod: 'p', phase: 'Succeeded'}})).toMatchObject({
    held: false,
    why: 'default/p was last seen at 10 s: Failed, Terminating; main terminated 0 without times, not default/p Succeeded',
  })
  expect(checked({last: {pod: 'p', containers: {main: {exitCode: 1}}}, until: {log: 'aborted'}})).toMatchObject({held: true})
  expect(checked({last: {pod: 'nobody'}})).toEqual({held: false, why: 'a watcher never saw default/nobody'})
})
