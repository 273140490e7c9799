import {describe, expect, test} from 'vitest'
import {detect} from '../../../src/findings/detect.ts'
import {detectors} from '../../../src/findings/detectors.ts'
import {profileOf} from '../../../src/kubelet/profiles.ts'
import type {Healthz} from '../../../src/node/healthz.ts'
import type {SeenKubelet} from '../../../src/node/kubelet-seen.ts'
import {absent, failed, type Reading, read} from '../../../src/node/reading.ts'
import type {Readings, Snapshot} from '../../../src/node/snapshot.ts'
import {answering} from '../../support/runtime-looks.ts'
import {mounted, smallNode} from '../../support/small-node.ts'
import {at, logLine} from '../../support/snapshot-builder.ts'

const running: SeenKubelet = {pid: 812, program: 'kubelet', startedAt: at(-3600), sameNetwork: true, certain: true}
const stands = read<Healthz>({ok: false, text: '[+]ping ok\n[+]log ok\n[-]syncloop failed: reason withheld\nhealthz check failed'})
const refused = failed('nothing listens at 127.0.0.1:10248 (connection refused)', 3, 'refused')

function nodeWith(healthz: Reading<Healthz>, process: SeenKubelet | undefined = running, more: Partial<Readings> = {}): Snapshot {
  const snapshot = smallNode((node) => {
    node.process = process
  })
  return {...snapshot, readings: {...snapshot.readings, 'kubelet.healthz': healthz, ...more}}
}

function k02(snapshot: Snapshot) {
  const {findings, looked, unseen} = detect(
    snapshot,
    profileOf('1.36.2'),
    detectors.filter(({code}) => ['K02', 'V09', 'R01'].includes(code)),
  )
  const why = unseen.find(({source}) => source === 'kubelet.healthz')?.why
  return {findings: findings.filter(({code}) => code === 'K02'), looked: looked.includes('K02'), why}
}

test('K02 is critical where the sync loop does not turn (kubernetes#101622), and knows that it stands for 5m', () => {
  const {findings} = k02(nodeWith(stands))
  expect(findings.map(({severity, subject, since, cause}) => ({severity, subject, since, cause}))).toEqual([
    {severity: 'critical', subject: {kind: 'Kubelet', name: 'n1'}, since: '2026-11-30T02:55:00Z', cause: null},
  ])
})

test('K02 names the other checks that fail beside the loop', () => {
  const {findings} = k02(nodeWith(read({ok: false, text: '[-]pleg failed: reason withheld\n[-]syncloop failed: reason withheld'})))
  expect(findings[0]?.evidence.map(({fact}) => fact)).toEqual(['the check pleg fails', 'the check syncloop fails'])
})

test.each<[string, Reading<Healthz>]>([
  ['a kubelet that is well', read({ok: true, text: 'ok'})],
  ['a kubelet that is well and lists its checks', read({ok: true, text: '[+]syncloop ok\nhealthz check passed'})],
  ['a relist that is slow: that is another code', read({ok: false, text: '[-]pleg failed: reason withheld'})],
  ['a check that is no matter of the loop', read({ok: false, text: '[-]log failed: reason withheld\n[+]syncloop ok'})],
])('K02 is silent about %s', (_what, healthz) => {
  expect(k02(nodeWith(healthz))).toMatchObject({findings: [], looked: true})
})

describe('K02 of a kubelet that does not serve', () => {
  test.each<[string, Reading<Healthz>]>([
    ['refuses (kubernetes#122491)', refused],
    ['says nothing for 5 s', failed('no whole answer', 5000, 'silent')],
  ])('is an error where it runs for an hour and %s', (_what, healthz) => {
    expect(k02(nodeWith(healthz, running, {'kubelet.pods': refused})).findings.map(({severity}) => severity)).toEqual(['error'])
  })

  test.each<[string, Reading<never[]>]>([
    ['was read', read([])],
    ['says that we may not ask', failed('not allowed: 403', 3, 'denied')],
    ['was not asked', absent('not in the capture')],
  ])('is unseen where its own port %s: /healthz may have none', (_what, pods) => {
    const told = k02(nodeWith(refused, running, {'kubelet.pods': pods}))
    expect([told.findings, told.looked]).toEqual([[], false])
  })

  test.each<[string, Reading<Healthz>, SeenKubelet | undefined]>([
    ['where none is seen to run', refused, undefined],
    ['where it started four minutes ago', refused, {...running, startedAt: at(-240)}],
    ['where it started 5m ago to the second', refused, {...running, startedAt: at(-300)}],
    ['where nobody knows since when it runs', refused, withoutStart(running)],
    ['where it has another network than we', refused, {...running, sameNetwork: false}],
    ['where nobody could tell its network', refused, withoutNetwork(running)],
    ['where its settings were not read', refused, {...running, certain: false}],
    ['where we may not ask: 401 and 403', failed('not allowed: 401', 3, 'denied'), running],
    ['where the answer is none', failed('it answers 404', 3), running],
    ['where it was waited for too shortly', failed('no whole answer', 4000, 'silent'), running],
    ['where nobody asked', absent('not in the capture'), running],
  ])('is unseen %s', (_what, healthz, process) => {
    const told = k02(nodeWithout(healthz, process))
    expect([told.findings, told.looked]).toEqual([[], false])
    expect(told.why).not.toBe(undefined)
  })
})

/** No process is none, not the usual one. */
function nodeWithout(healthz: Reading<Healthz>, process: SeenKubelet | undefined): Snapshot {
  const {kubeletProcess: _process, ...snapshot} = nodeWith(healthz)
  return process === undefined ? snapshot : {...snapshot, kubeletProcess: process}
}

function withoutStart({startedAt: _startedAt, ...rest}: SeenKubelet): SeenKubelet {
  return rest
}

function withoutNetwork({sameNetwork: _sameNetwork, ...rest}: SeenKubelet): SeenKubelet {
  return rest
}

const share = {...mounted('pods/u1/volumes/kubernetes.io~nfs/data', {device: '0:52', fsType: 'nfs4', source: 'srv:/export'})}
const hungMount: Partial<Readings> = {
  'kernel.mounts': read([share]),
  'disk.mounts': read([{mountPoint: share.mountPoint, outcome: {state: 'silent', afterMs: 3000}}]),
}
const hungRuntime: Partial<Readings> = {
  'runtime.answers': read(answering({calls: [{method: 'ListContainers', outcome: {state: 'silent', waitedMs: 10_000}}]})),
}

test.each<[string, Partial<Readings>, string | undefined]>([
  ['a mount that hangs', hungMount, 'V09'],
  ['a runtime that hangs', hungRuntime, 'R01'],
  ['both: a mount may be what the runtime waits for', {...hungMount, ...hungRuntime}, 'V09'],
  [
    'a mount that is dead and answers',
    {'kernel.mounts': read([share]), 'disk.mounts': read([{mountPoint: share.mountPoint, outcome: {state: 'error', code: 'ESTALE'}}])},
    undefined,
  ],
  ['nothing', {}, undefined],
])('K02 has its cause in %s', (_what, more, code) => {
  expect(k02(nodeWith(stands, running, more)).findings.map(({cause}) => cause?.code)).toEqual([code])
})

test('K02 tells how old the newest line of the log is, which alone is no finding', () => {
  const log = {'kubelet.log': read([logLine(-420, 'SyncLoop ADD')])}
  const facts = (healthz: Reading<Healthz>) => k02(nodeWith(healthz, running, log)).findings.flatMap(({evidence}) => evidence)
  expect(facts(stands)).toContainEqual({source: 'kubelet.log', fact: 'its newest line is 7m old'})
  expect(facts(read({ok: true, text: 'ok'}))).toEqual([])
})

test('K02 looks for the thread that hangs before it restarts, by the unit of its program', () => {
  const commands = (process: SeenKubelet) =>
    k02(nodeWith(stands, process)).findings.flatMap(({remedy}) => remedy.map(({command}) => command))
  expect(commands(running)[0]).toBe("grep -l '^State:.D' /proc/812/task/*/status")
  expect(commands({...running, program: 'k3s'}).at(-1)).toBe('systemctl restart k3s')
})
