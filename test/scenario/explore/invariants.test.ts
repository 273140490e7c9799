import {describe, expect, test} from 'vitest'
import {violationsIn} from '../../../src/scenario/explore/invariants.ts'
import type {Event, ObjectEvent} from '../../../src/timeline/event.ts'
import type {SeenPod} from '../../../src/timeline/seen-pod.ts'
import {bare, call, container, failed, recordOf, type SeenOptions, seen, step} from '../../support/run-record.ts'

const ok = {terminated: {exitCode: 0, reason: 'Completed', finishedAt: 1, containerID: 'lab://c'}}

/** With more in its metadata. */
const object = (at: number, options: SeenOptions, metadata: object = {}): ObjectEvent => {
  const event = seen(at, options)
  const pod = event.object as SeenPod
  return {...event, object: {...pod, metadata: {...pod.metadata, ...metadata}}}
}

const told = (at: number, main: object, options: SeenOptions = {}) => seen(at, {...options, containers: {main}})

const started = container(1, 'started')
const ended = (at: number, exitCode: number) => container(at, 'exited', {exitCode})
const removed = container(9, 'removed')

const gone = (at: number) => seen(at, {type: 'DELETED', terminating: true})
const asked = (at: number) => call(at, 'DELETE pod', {to: 'api', request: {uid: 'u'}, ends: at + 0.005})

const broken = (events: readonly Event[], end?: number) =>
  violationsIn(recordOf(events, end)).map(({invariant, how}) => `${invariant}: ${how}`)

describe('violationsIn()', () => {
  test.each<[string, string[], Event[]]>([
    [
      'finds exit code 0 of a container that runs',
      ['success-made-up: while it runs', 'end-of-running: the end is made up'],
      [started, told(2, bare)],
    ],
    ['finds exit code 0 of one that never ran', ['success-made-up: and it never ran'], [told(2, bare)]],
    ['finds exit code 0 of one that ended with 1', ['success-made-up: and it ended otherwise'], [started, ended(2, 1), told(3, bare)]],
    [
      'finds exit code 0 of one that did not start',
      ['success-made-up: and it could not start'],
      [container(1, 'start-failed', {exitCode: 128}), told(3, bare)],
    ],
    ['takes exit code 0 that the runtime recorded before', [], [started, ended(2, 0), told(3, ok)]],
    ['takes it also when the container is gone since', [], [started, ended(2, 0), removed, told(10, ok)]],
    [
      'does not take one that the runtime records later',
      ['success-made-up: while it runs', 'end-of-running: the end is of its own'],
      [started, told(2, ok), ended(3, 0)],
    ],
    [
      'does not take that of another container of its name',
      ['success-made-up: and it ended otherwise'],
      [started, ended(2, 1), container(3, 'started', {id: 'd'}), container(4, 'exited', {id: 'd', exitCode: 0}), told(5, ok)],
    ],
    [
      'finds 1 that becomes 0',
      ['success-made-up: and it ended otherwise', 'failure-forgotten: the code becomes 0'],
      [started, ended(2, 1), told(3, failed), told(4, bare)],
    ],
    [
      'takes 0 of a container that was started again',
      [],
      [
        ...[started, ended(2, 1), told(3, failed)],
        ...[container(4, 'started', {id: 'd'}), container(5, 'exited', {id: 'd', exitCode: 0})],
        told(6, {terminated: {...ok.terminated, containerID: 'lab://d'}}),
      ],
    ],
    ['finds what follows Failed', ['end-undone: Failed, then Succeeded'], [seen(1, {phase: 'Failed'}), seen(2, {phase: 'Succeeded'})]],
    ['finds what follows Succeeded', ['end-undone: Succeeded, then Pending'], [seen(1, {phase: 'Succeeded'}), seen(2, {phase: 'Pending'})]],
    ['takes an end that stays', [], [seen(1, {phase: 'Failed'}), seen(2, {phase: 'Failed', terminating: true})]],
    [
      'finds an object that the kubelet removes while a container runs',
      ['removed-while-running: by the kubelet'],
      [started, asked(2), gone(2.002)],
    ],
    ['takes it once the container has ended', [], [started, ended(1.5, 1), asked(2), gone(2.002)]],
    ['leaves to the API server what it removes by itself', [], [started, gone(2)]],
    [
      'finds a removal that only a finalizer keeps from being one',
      ['removed-while-running: by the kubelet'],
      [
        started,
        object(2, {terminating: true}, {deletionGracePeriodSeconds: 30, finalizers: ['f']}),
        asked(3),
        object(3.002, {terminating: true}, {deletionGracePeriodSeconds: 0, finalizers: ['f']}),
      ],
    ],
  ])('%s', (_, kinds, events) => {
    expect(broken(events).toSorted()).toEqual(kinds.toSorted())
  })

  const left = [started, seen(5, {terminating: true}), ended(8, 1), removed]

  test.each<[string, string[], Event[], number]>([
    ['finds a pod that stays Terminating', ['stuck-terminating: for good'], left, 200],
    ['waits three minutes from the last that happened', [], left, 188],
    ['finds one that goes too late', ['stuck-terminating: late'], [...left, gone(200)], 210],
    ['takes one that goes in time', [], [...left, gone(60)], 400],
    ['does not ask it of a pod that nobody deletes', [], [started, ended(8, 1)], 400],
    ['does not ask it of a pod that still runs', [], [started, seen(5, {terminating: true})], 400],
    ['does not ask it of a pod that a finalizer holds', [], [...left, object(9, {terminating: true}, {finalizers: ['f']})], 400],
    ['waits longer where a call was kept back', [], [...left, call(10, 'StopPodSandbox', {ends: 130, fault: 'held'})], 300],
    ['waits longer after what is done from outside', [], [...left, step(150, 'restart the kubelet')], 300],
  ])('%s', (_, kinds, events, end) => {
    expect(broken(events, end)).toEqual(kinds)
  })
})
