import {expect, test} from 'vitest'
import type {PodStatus} from '../../../src/kubelet/pod.ts'
import {profileOf} from '../../../src/kubelet/profiles.ts'
import {dispatchWork, terminality} from '../../../src/kubelet/workers/dispatch-work.ts'
import {aPod, aStatus, deleted, exited, running, statusOf, switched, waiting} from '../../support/model-pods.ts'

/** What becomes of a pod with this status in the cache. */
function dispatched(profile: ReturnType<typeof profileOf>, status: PodStatus, isDeleted: boolean, texts: string[] = []): string {
  const told: string[] = []
  const statusManager = {getPodStatus: () => status, terminatePod: () => told.push('ended')}
  const log = ({text}: {text: string}) => texts.push(text)
  const dispatch = dispatchWork({profile, statusManager, updatePod: () => told.push('to its worker'), log})
  dispatch(isDeleted ? deleted(aPod()) : aPod(), 'sync')
  return told.join() || 'left alone'
}

const states = {
  running: aStatus({phase: 'Running', containerStatuses: [statusOf('c', running)]}),
  'failed while it runs': aStatus({phase: 'Failed', containerStatuses: [statusOf('c', running)]}),
  'failed and over': aStatus({phase: 'Failed', containerStatuses: [statusOf('c', exited(1))]}),
  'not started': aStatus({containerStatuses: [statusOf('c', waiting())]}),
  evicted: aStatus({phase: 'Failed', reason: 'Evicted'}),
}

test.each([
  ['running', false, 'to its worker', 'to its worker', 'to its worker'],
  ['running', true, 'to its worker', 'to its worker', 'to its worker'],
  ['failed while it runs', false, 'left alone', 'left alone', 'to its worker'],
  ['failed while it runs', true, 'ended', 'left alone', 'to its worker'],
  ['failed and over', false, 'left alone', 'left alone', 'left alone'],
  ['failed and over', true, 'ended', 'ended', 'ended'],
  ['not started', false, 'to its worker', 'to its worker', 'to its worker'],
  ['not started', true, 'ended', 'ended', 'ended'],
  ['evicted', true, 'ended', 'ended', 'ended'],
] as const)('dispatchWork() of a pod that is %s, deleted: %s', (state, isDeleted, ...expected) => {
  const of = (version: string) => dispatched(profileOf(version), states[state], isDeleted)
  expect([of('1.17.3'), of('1.18.2'), of('1.21.2')]).toEqual(expected)
})

test('dispatchWork() ends a pod whose containers run without ends-after-containers', () => {
  expect(dispatched(switched('1.18.2', 'ends-after-containers', false), states['failed while it runs'], true)).toBe('ended')
})

test('dispatchWork() drops a terminal pod whose containers run without terminal-synced', () => {
  expect(dispatched(switched('1.21.2', 'terminal-synced', false), states['failed while it runs'], false)).toBe('left alone')
})

test('terminality() goes by what the API server says when the cache has nothing', () => {
  const pod = aPod({status: {phase: 'Failed', containerStatuses: [statusOf('c', running)]}})
  expect(terminality({getPodStatus: () => undefined}, pod)).toEqual({containersTerminal: false, podWorkerTerminal: true})
})

test.each([
  ['1.17.3', [], []],
  [
    '1.18.2',
    ['Pod has completed, ignoring remaining sync work'],
    ['Pod has completed execution and should be deleted from the API server'],
  ],
  [
    '1.21.2',
    ['Pod has completed and its containers have been terminated, ignoring remaining sync work'],
    ['Pod has completed execution and should be deleted from the API server'],
  ],
])('dispatchWork() logs what the kubelet %s logs', (version, ...expected) => {
  const logged = (isDeleted: boolean) => {
    const texts: string[] = []
    dispatched(profileOf(version), states['failed and over'], isDeleted, texts)
    return texts
  }
  expect([logged(false), logged(true)]).toEqual(expected)
})
