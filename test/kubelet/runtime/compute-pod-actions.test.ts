import {expect, test} from 'vitest'
import {profileOf} from '../../../src/kubelet/profiles.ts'
import {computePodActions} from '../../../src/kubelet/runtime/compute-pod-actions.ts'
import {aPod, containerNamed, deleted, inRuntime, switched} from '../../support/model-pods.ts'
import {inSandbox, sandboxOf} from '../../support/model-sandboxes.ts'

const today = profileOf('1.36.2')
const two = {containers: [containerNamed('a'), containerNamed('b')]}
const withInit = {initContainers: [containerNamed('i'), containerNamed('j')], containers: [containerNamed('c')]}
const dead = [sandboxOf('s1', {state: 'NOTREADY'})]

/** In one line: what is killed, made and started. */
function brief(...[profile, pod, status]: Parameters<typeof computePodActions>): string {
  const actions = computePodActions(profile, pod, status)
  return [
    actions.killPod ? 'kill pod' : '',
    ...actions.containersToKill.map(({metadata}) => `kill ${metadata.name}`),
    actions.createSandbox ? `sandbox ${actions.attempt}` : '',
    actions.nextInitContainerToStart === undefined ? '' : `init ${actions.nextInitContainerToStart.name}`,
    ...actions.containersToStart.map(({name}) => `start ${name}`),
  ]
    .filter((each) => each !== '')
    .join(', ')
}

test.each([
  ['makes a sandbox for a new pod and starts all', {spec: two}, inSandbox([], []), 'kill pod, sandbox 0, start a, start b'],
  ['makes a new sandbox when the last is not ready', {}, inSandbox([], dead), 'kill pod, sandbox 1, start c'],
  [
    'makes a new sandbox when two are ready',
    {},
    inSandbox([], [sandboxOf('s2', {attempt: 1}), sandboxOf('s1')]),
    'kill pod, sandbox 2, start c',
  ],
  [
    'makes no new one for a Never pod that has run',
    {spec: {restartPolicy: 'Never'}},
    inSandbox([inRuntime('c', 'EXITED')], dead),
    'kill pod',
  ],
  [
    'makes one for a Never pod whose containers never were',
    {spec: {restartPolicy: 'Never'}},
    inSandbox([], dead),
    'kill pod, sandbox 1, start c',
  ],
  [
    'leaves out what has succeeded with OnFailure',
    {spec: {...two, restartPolicy: 'OnFailure'}},
    inSandbox([inRuntime('a', 'EXITED')], dead),
    'kill pod, sandbox 1, start b',
  ],
  ['does nothing while all run', {}, inSandbox([inRuntime('c', 'RUNNING')]), ''],
  ['starts what has ended with Always', {}, inSandbox([inRuntime('c', 'EXITED')]), 'start c'],
  ['starts what was created and never started', {spec: {restartPolicy: 'Never'}}, inSandbox([inRuntime('c', 'CREATED')]), 'start c'],
  ['stops what may run before it starts it', {}, inSandbox([inRuntime('c', 'UNKNOWN')]), 'kill c, start c'],
  ['starts what the runtime does not know', {spec: two}, inSandbox([inRuntime('a', 'RUNNING')]), 'start b'],
  ['kills a pod that is done', {spec: {restartPolicy: 'Never'}}, inSandbox([inRuntime('c', 'EXITED', {exitCode: 1})]), 'kill pod'],
  [
    'keeps a pod of which one still runs',
    {spec: {...two, restartPolicy: 'Never'}},
    inSandbox([inRuntime('a', 'EXITED'), inRuntime('b', 'RUNNING')]),
    '',
  ],
  ['begins with the first init container', {spec: withInit}, inSandbox([], []), 'kill pod, sandbox 0, init i'],
  ['goes on with the next init container', {spec: withInit}, inSandbox([inRuntime('i', 'EXITED')]), 'init j'],
  ['waits while an init container runs', {spec: withInit}, inSandbox([inRuntime('i', 'RUNNING')]), ''],
  ['starts a failed init container again', {spec: withInit}, inSandbox([inRuntime('i', 'EXITED', {exitCode: 1})]), 'init i'],
  [
    'kills a Never pod whose init container failed',
    {spec: {...withInit, restartPolicy: 'Never'}},
    inSandbox([inRuntime('i', 'EXITED', {exitCode: 1})]),
    'kill pod',
  ],
  [
    'starts the containers after the last init container',
    {spec: withInit},
    inSandbox([inRuntime('i', 'EXITED'), inRuntime('j', 'EXITED')]),
    'start c',
  ],
] as const)('computePodActions() %s', (_, parts, status, expected) => {
  expect(brief(today, aPod(parts), status)).toBe(expected)
})

test('computePodActions() restarts nothing of a deleted pod, with deleted-ignores-reasons', () => {
  const status = inSandbox([inRuntime('c', 'EXITED')])
  expect(brief(today, deleted(aPod()), status)).toBe('kill pod')
  expect(brief(switched('1.36.2', 'deleted-ignores-reasons', false), deleted(aPod()), status)).toBe('start c')
})

test('computePodActions() makes a sandbox for nothing without done-needs-no-sandbox', () => {
  const pod = aPod({spec: {restartPolicy: 'OnFailure'}})
  const status = inSandbox([inRuntime('c', 'EXITED')], dead)
  expect(brief(today, pod, status)).toBe('kill pod')
  expect(brief(switched('1.36.2', 'done-needs-no-sandbox', false), pod, status)).toBe('kill pod, sandbox 1')
})

test('computePodActions() runs init containers once more that the runtime lost under a running pod, without inits-not-rerun', () => {
  const status = inSandbox([inRuntime('c', 'RUNNING')])
  const actions = (on: boolean) => brief(switched('1.21.2', 'inits-not-rerun', on), aPod({spec: withInit}), status)
  expect([actions(true), actions(false)]).toEqual(['', 'init i'])
})
