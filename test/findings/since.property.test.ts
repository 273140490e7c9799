// `since` and the severity tell of the same age, and `next` is a sentence: over all golden cases, and over nodes in trouble at any time.
import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {readInstant} from '../../src/base/instant.ts'
import {detect} from '../../src/findings/detect.ts'
import {detectors} from '../../src/findings/detectors.ts'
import {atLeast, type Finding} from '../../src/findings/finding.ts'
import {findingKey} from '../../src/findings/finding-key.ts'
import {youngOf} from '../../src/findings/look-again.ts'
import {type Profile, profileOf, profileVersions} from '../../src/kubelet/profiles.ts'
import type {Snapshot} from '../../src/node/snapshot.ts'
import {type CsiNode, csiNode, down, driverSocket, registration} from '../support/csi-node.ts'
import {goldenCases, openCase} from '../support/golden-case.ts'
import {driver, gone, mounted, podRecord, type SmallNode, smallNode, volumeDir, web, webStaging, webVolume} from '../support/small-node.ts'
import {at, logLine, snapshotOf} from '../support/snapshot-builder.ts'

const graces = new Map(detectors.map(({code, graceMs}) => [code, graceMs]))

/** The findings as they would be if nothing but time had passed. */
function findingsAt(snapshot: Snapshot, profile: Profile, ms: number): ReadonlyMap<string, Finding> {
  const {findings} = detect({...snapshot, when: snapshot.when + ms}, profile, detectors)
  return new Map(findings.map((finding) => [findingKey(finding), finding]))
}

function isGraver(a: Finding | undefined, b: Finding): boolean {
  return a !== undefined && !atLeast(b.severity, a.severity)
}

/** Younger than the grace of its detector; undefined when nothing tells. */
function isYoung({code, since}: Finding, when: number): boolean | undefined {
  const moment = readInstant(since)
  return moment === undefined ? undefined : when - moment < (graces.get(code) ?? 0)
}

/** What the rules say of each finding. */
function broken(snapshot: Snapshot, profile: Profile): string[] {
  const findings = [...findingsAt(snapshot, profile, 0).values()]
  const hourLater = findingsAt(snapshot, profile, 3_600_000)
  const hourBefore = findingsAt(snapshot, profile, -3_600_000)
  return findings.flatMap((finding) => {
    const {code, severity, since, next, evidence} = finding
    const moment = readInstant(since)
    const young = isYoung(finding, snapshot.when)
    // A takeover that is in force grows graver by its end, not by its age.
    const isInfoByYouth = code !== 'T01' && severity === 'info' && isGraver(hourLater.get(findingKey(finding)), finding)
    // Of drivers the severity goes by the start of the node, and since by their sockets.
    const isGraveByAge = code.startsWith('V') && severity !== 'info' && hourBefore.get(findingKey(finding))?.severity === 'info'
    const wrong = [
      ...(since !== undefined && (moment === undefined || moment > snapshot.when) ? [`since ${since}`] : []),
      ...(isInfoByYouth && young !== true ? ['it is info because it is young, and would not be looked at again'] : []),
      ...(isGraveByAge && young === true ? ['it is graver than info because it is old, and would be looked at again'] : []),
      ...(next === undefined || !/^[A-Z].*[^.]\.$/.test(next) ? [`next ${next}`] : []),
      ...(since !== undefined && evidence.length === 0 ? ['nothing tells of since'] : []),
    ]
    return wrong.map((each) => `${code} ${severity}: ${each}`)
  })
}

describe.each(goldenCases)('of %s', (name) => {
  test('since is a moment that is past, agrees with the severity, and next is a sentence', async () => {
    const {snapshot, profile} = await openCase(name)
    expect(broken(snapshot, profile)).toEqual([])
  })
})

const left = volumeDir(gone, 'pv9')
const blocks = 'plugins/kubernetes.io/csi/volumeDevices'
const stages = {socket: '/csi.sock', answer: {state: 'answers'}, name: driver, capabilities: ['STAGE_UNSTAGE_VOLUME']} as const

const troubles: Readonly<Record<string, (node: SmallNode) => unknown>> = {
  'V01 V03': (node) => {
    node.volData[`${left}/vol_data.json`] = podRecord('pv9', 'h9')
    node.files.push(`${left}/mount/`)
    node.mounts.push(mounted(`${left}/mount`, {id: 90, device: '8:32'}))
  },
  V02: (node) => Object.assign(node.volData, {[`${webVolume}/vol_data.json`]: {unreadable: 'it is empty'}}),
  V04: (node) => {
    node.volData[`${blocks}/pv8/data/vol_data.json`] = {specVolID: 'pv8', driverName: driver, volumeHandle: 'h8'}
    node.files.push(`${blocks}/staging/pv8/`)
  },
  V05: (node) => {
    node.files = node.files.filter((path) => !path.startsWith(webStaging))
    node.mounts = node.mounts.filter(({id}) => id !== 51 && id !== 52)
    delete node.volData[`${webStaging}/vol_data.json`]
    node.drivers = [stages]
  },
  V06: (node) => {
    node.mounts = node.mounts.filter(({id}) => id !== 52)
  },
  V10: (node) => {
    node.mounts.push(mounted(`pods/${gone}/volume-subpaths/data/app/0`, {id: 91}))
    node.files.push(`pods/${gone}/`)
  },
  V11: (node) => node.files.push(`${blocks}/pv7/dev/${gone}`),
}

const dated = [
  ...['pods', `pods/${gone}`, left, `pods/${web}`, webVolume, `${webVolume}/vol_data.json`, `${blocks}/pv7/dev/${gone}`],
  ...['plugins/kubernetes.io/csi', `plugins/kubernetes.io/csi/${driver}`],
]
const seconds = fc.oneof(fc.integer({min: -1500, max: 60}), fc.constant(null))
const nodes = fc
  .record({
    troubled: fc.subarray(Object.keys(troubles), {minLength: 1, maxLength: 2}),
    modified: fc.dictionary(fc.constantFrom(...dated), seconds, {minKeys: 2}),
    isDated: fc.constantFrom(true, true, true, false),
    started: fc.option(fc.integer({min: -1500, max: -61}), {nil: undefined, freq: 1}),
    orphan: fc.option(fc.integer({min: -1500, max: 0}), {nil: undefined, freq: 1}),
    containers: fc.integer({min: -1500, max: 0}),
    deleted: fc.option(fc.integer({min: -1500, max: 60}), {nil: undefined, freq: 1}),
  })
  .map(({troubled, modified, isDated, started, orphan, containers, deleted}) => {
    const snapshot = smallNode((node) => {
      for (const trouble of troubled) troubles[trouble]?.(node)
      node.modified = modified
      node.dated = isDated
      node.containers = node.containers.map((each) => ({...each, createdAt: BigInt(at(containers)) * 1_000_000n}))
      node.pods = node.pods.map((pod) => ({...pod, createdAt: at(containers), ...(deleted !== undefined && {deletedAt: at(deleted)})}))
      const lines = [
        ...(started === undefined ? [] : [logLine(started, 'Starting Kubelet Volume Manager')]),
        ...(orphan === undefined ? [] : [logLine(orphan, 'many', {err: `orphaned pod "${gone}" found, but error`})]),
      ]
      if (lines.length > 0) node.log = lines.toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0))
    })
    return {snapshot, troubled}
  })

test('since is a moment that is past and agrees with the severity, whatever is how old', () => {
  fc.assert(
    fc.property(nodes, fc.constantFrom(...profileVersions).map(profileOf), ({snapshot}, profile) => {
      expect(broken(snapshot, profile)).toEqual([])
    }),
    {numRuns: 800},
  )
})

const registered = registration('d', {state: 'answers'})
const socketMade = {path: 'plugins/d/csi.sock', type: 'socket', mode: 0o755, size: 0, modifiedAt: at(3590)} as const
const justBooted = {'kernel.boot': {id: 'b', at: at(3400)}}

test.each<[string, CsiNode, code: string]>([
  ['a driver that is not registered on a young node', {more: justBooted}, 'C01'],
  ['a dead driver on a young node', {registrations: [registered], sockets: [driverSocket('d', down('refused'))], more: justBooted}, 'C02'],
  [
    'a dead driver whose socket is young',
    {registrations: [registered], sockets: [driverSocket('d', down('refused'))], more: {'disk.entries': [socketMade]}},
    'C02',
  ],
  [
    'a driver that hangs on a young node',
    {registrations: [registered], sockets: [driverSocket('d', {state: 'silent', why: 'x', waitedMs: 3000})], more: justBooted},
    'C03',
  ],
])('since agrees with the severity of %s, which is looked at again', (_what, parts, code) => {
  const snapshot = snapshotOf(csiNode(parts))
  const profile = profileOf('1.36.2')
  const {findings} = detect(snapshot, profile, detectors)
  expect(findings.map((finding) => [finding.code, finding.severity])).toEqual([[code, 'info']])
  expect(youngOf(findings, snapshot.when, detectors)).toEqual(findings)
  expect(broken(snapshot, profile)).toEqual([])
})

test('the nodes of this property give findings of each of these codes, with since and without', () => {
  const found = fc
    .sample(nodes, {numRuns: 1000, seed: 5})
    .flatMap(({snapshot}) => detect(snapshot, profileOf('1.36.2'), detectors).findings)
  const kinds = new Set(
    found.map(
      ({code, severity, since}) => `${code} ${severity === 'info' ? 'info' : 'graver'} ${since === undefined ? 'undated' : 'dated'}`,
    ),
  )
  for (const code of ['V01', 'V02', 'V03', 'V04', 'V05', 'V10', 'V11']) expect([...kinds]).toContain(`${code} graver dated`)
  for (const code of ['V01', 'V02', 'V03', 'V04', 'V05', 'V06', 'V10', 'V11']) expect([...kinds]).toContain(`${code} info dated`)
  expect([...kinds]).toEqual(expect.arrayContaining(['V01 info undated', 'V04 info undated', 'V06 graver undated', 'V11 info undated']))
})
