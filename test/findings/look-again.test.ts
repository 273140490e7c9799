import {describe, expect, test} from 'vitest'
import type {Detection} from '../../src/findings/detect.ts'
import type {Detector} from '../../src/findings/detector.ts'
import type {Finding} from '../../src/findings/finding.ts'
import {confirmed, lookAgain, type SecondLook, secondLookMs, youngOf} from '../../src/findings/look-again.ts'
import {profileOf} from '../../src/kubelet/profiles.ts'
import type {Snapshot, SourceName} from '../../src/node/snapshot.ts'
import {at, snapshotOf, waitingPod} from '../support/snapshot-builder.ts'

const profile = profileOf('1.36.2')
const when = at(600)

/** Finds what the kubelet's pods are called; X01 knows since when, X02 does not. */
function named(code: string, more: Partial<Detector> = {}, since?: string): Detector {
  return {
    code,
    name: 'test',
    severities: [],
    graceMs: 60_000,
    needs: () => [['kubelet.pods']],
    helpedBy: [],
    explain: {what: '', how: '', lookAlikes: [], links: []},
    detect: ({snapshot}) => {
      const pods = snapshot.readings['kubelet.pods']
      if (pods.state !== 'read') return []
      return pods.value.map(({name}) => findingOf(code, name, since))
    },
    ...more,
  }
}

function findingOf(code: string, name: string, since?: string): Finding {
  return {
    code,
    name: 'test',
    severity: 'error',
    subject: {kind: 'Pod', name},
    message: `${code} ${name}`,
    ...(since !== undefined && {since}),
    evidence: [{source: 'runtime.sandboxes', fact: 'x'}],
    cause: null,
    remedy: [],
    links: [],
  }
}

const young = '2026-11-30T03:09:30Z'
const old = '2026-11-30T03:00:00Z'

function nodeWith(...names: readonly string[]): Snapshot {
  return snapshotOf({seconds: 600, sources: {'kubelet.pods': names.map((name) => waitingPod(name, `uid-${name}`, []))}})
}

function detectionOf(detectors: readonly Detector[], ...names: readonly string[]): Detection {
  const snapshot = nodeWith(...names)
  const context = {snapshot, belief: undefined, trace: {calls: [], starts: [], names: [], detached: [], until: undefined}, profile}
  return {
    looked: detectors.map(({code}) => code),
    unseen: [{source: 'kubelet.log', why: 'not in this test'}],
    findings: detectors.flatMap((detector) => detector.detect(context)),
  }
}

interface Seen {
  readonly told: string[]
  readonly slept: number[]
  readonly asked: [sources: SourceName[], deadlineMs: number][]
}

function looking(detectors: readonly Detector[], again: Snapshot, until = when + 30_000): SecondLook & Seen {
  const seen: Seen = {told: [], slept: [], asked: []}
  return {
    ...seen,
    clock: {
      now: () => when,
      sleep: async (ms) => {
        seen.slept.push(ms)
      },
    },
    signal: new AbortController().signal,
    until,
    detectors,
    read: async (sources, deadlineMs) => {
      seen.asked.push([[...sources], deadlineMs])
      return again
    },
    tell: (text) => seen.told.push(text),
  }
}

describe('youngOf()', () => {
  test.each<[what: string, detector: Detector, young: boolean]>([
    ['younger than its grace', named('X01', {}, young), true],
    ['older than its grace', named('X01', {}, old), false],
    ['exactly as old as its grace', named('X01', {}, '2026-11-30T03:09:00Z'), false],
    ['of unknown age', named('X01'), false],
    ['of unknown age, from two views', named('X01', {sampleTwice: true}), true],
    ['old, from two views', named('X01', {sampleTwice: true}, old), false],
  ])('youngOf() takes one that is %s: %s', (_what, detector, expected) => {
    const {findings} = detectionOf([detector], 'a')
    expect(youngOf(findings, when, [detector])).toEqual(expected ? findings : [])
  })
})

describe('lookAgain()', () => {
  test('lookAgain() does not wait where nothing is young', async () => {
    const detectors = [named('X01', {}, old), named('X02')]
    const first = detectionOf(detectors, 'a')
    const look = looking(detectors, nodeWith())
    expect(await lookAgain(first, nodeWith('a'), profile, look)).toBe(first)
    expect([look.told, look.slept, look.asked]).toEqual([[], [], []])
  })

  test('lookAgain() says so, waits, reads only the evidence of what is young, and keeps what is still there', async () => {
    const detectors = [named('X01', {}, young), named('X02')]
    const look = looking(detectors, nodeWith('a', 'c'))
    const first = detectionOf(detectors, 'a', 'b')
    const {findings, looked, unseen} = await lookAgain(first, nodeWith('a', 'b'), profile, look)
    expect(findings.map(({message}) => message)).toEqual(['X01 a', 'X02 a', 'X02 b'])
    expect([looked, unseen]).toEqual([first.looked, first.unseen])
    expect(look.told).toEqual(['looking again in 5s, as these may be on their way: X01 (--once: do not)'])
    expect(look.slept).toEqual([secondLookMs])
    expect(look.asked).toEqual([[['kubelet.pods', 'runtime.sandboxes'], 25_000]])
  })

  test('lookAgain() keeps what it has when the deadline leaves no time, and says so', async () => {
    const detectors = [named('X01', {}, young)]
    const first = detectionOf(detectors, 'a')
    const look = looking(detectors, nodeWith(), when + 2 * secondLookMs - 1)
    expect(await lookAgain(first, nodeWith('a'), profile, look)).toBe(first)
    expect(look.told).toEqual(['no time is left to look again at X01: give it longer with --deadline'])
    expect(look.slept).toEqual([])
  })

  test('lookAgain() disproves nothing by a source that failed the second time', async () => {
    const detectors = [named('X01', {}, young)]
    const lost = snapshotOf({seconds: 605})
    const {findings} = await lookAgain(detectionOf(detectors, 'a'), nodeWith('a'), profile, looking(detectors, lost))
    expect(findings.map(({message}) => message)).toEqual(['X01 a'])
  })
})

describe('confirmed()', () => {
  test('confirmed() drops a cause that was gone at the second look', () => {
    const cause = findingOf('X01', 'a', young)
    const follower = {...findingOf('X02', 'b', old), cause: {code: 'X01', subject: cause.subject}}
    const first = {looked: ['X01', 'X02'], unseen: [], findings: [cause, follower]}
    expect(confirmed(first, [cause], {looked: ['X01', 'X02'], unseen: [], findings: []}).findings).toEqual([{...follower, cause: null}])
  })

  test('confirmed() takes the words of the second look', () => {
    const before = findingOf('X01', 'a', young)
    const after = {...before, severity: 'critical' as const, message: 'worse'}
    const first = {looked: ['X01'], unseen: [], findings: [before]}
    expect(confirmed(first, [before], {...first, findings: [after]}).findings).toEqual([after])
  })
})
