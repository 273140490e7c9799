import fc from 'fast-check'
import {expect, test} from 'vitest'
import {detect} from '../../src/findings/detect.ts'
import {detectors} from '../../src/findings/detectors.ts'
import {podStandings} from '../../src/findings/standing.ts'
import {profileOf, profileVersions} from '../../src/kubelet/profiles.ts'
import {absent, failed} from '../../src/node/reading.ts'
import {type Snapshot, sourceNames} from '../../src/node/snapshot.ts'
import {sandboxOf, snapshotOf, waitingPod} from '../support/snapshot-builder.ts'

const uid = fc.constantFrom('u1', 'u2', 'a b', '..', '')
const spec = fc.constantFrom('pv1', 'pv2', 'a^b', 'ü')
const driver = fc.constantFrom('d1', 'd2', 'pv')
const csi = 'plugins/kubernetes.io/csi'
const path = fc.oneof(
  fc.tuple(uid, spec).map(([u, s]) => `pods/${u}/volumes/kubernetes.io~csi/${s}/mount/`),
  fc.tuple(uid, spec).map(([u, s]) => `pods/${u}/volumeDevices/kubernetes.io~csi/${s}`),
  fc.tuple(driver, spec).map(([d, s]) => `${csi}/${d}/${s}/globalmount/`),
  spec.map((s) => `${csi}/volumeDevices/staging/${s}/`),
  fc.tuple(spec, uid).map(([s, u]) => `${csi}/volumeDevices/publish/${s}/${u}`),
  fc.string(),
)
const dataPath = fc.oneof(
  fc.tuple(uid, spec).map(([u, s]) => `pods/${u}/volumes/kubernetes.io~csi/${s}/vol_data.json`),
  spec.map((s) => `${csi}/volumeDevices/${s}/data/vol_data.json`),
  fc.tuple(driver, spec).map(([d, s]) => `${csi}/${d}/${s}/vol_data.json`),
)
const data = fc.record({driverName: driver, volumeHandle: fc.constantFrom('h1', 'h2', 'x^y')}, {requiredKeys: []})
const pod = fc.tuple(uid, fc.array(fc.constantFrom('c1', 'c2'))).map(([u, claims]) => waitingPod(`p-${u}`, u, claims))

const snapshots = fc
  .record({
    files: fc.array(path),
    volData: fc.dictionary(dataPath, data),
    pods: fc.array(pod),
    seconds: fc.integer({min: 0, max: 10_000}),
    lost: fc.subarray([...sourceNames]),
  })
  .map(({files, volData, pods, seconds, lost}): Snapshot => {
    const sources = {'kubelet.pods': pods, 'runtime.sandboxes': [sandboxOf('p', 'u1')]}
    const whole = snapshotOf({files, volData, seconds, sources})
    return {...whole, readings: {...whole.readings, ...Object.fromEntries(lost.map((name) => [name, failed('lost', 10)]))}}
  })

const profile = fc.constantFrom(...profileVersions).map(profileOf)

test('detect() gives the same for the same snapshot, and never throws', () => {
  fc.assert(
    fc.property(snapshots, profile, (snapshot, chosen) => {
      const first = JSON.stringify(detect(snapshot, chosen, detectors))
      expect(JSON.stringify(detect(snapshot, chosen, detectors))).toBe(first)
      podStandings(snapshot).of('u1')
    }),
    {numRuns: 300},
  )
})

test('detect() lists every source as unseen that was not read, and finds only what it looked for', () => {
  fc.assert(
    fc.property(snapshots, profile, (snapshot, chosen) => {
      const {looked, unseen, findings} = detect(snapshot, chosen, detectors)
      expect(unseen.map(({source}) => source)).toEqual(sourceNames.filter((name) => snapshot.readings[name].state !== 'read').toSorted())
      expect(findings.filter(({code}) => !looked.includes(code))).toEqual([])
    }),
  )
})

test('detect() without a needed source finds nothing of that code', () => {
  fc.assert(
    fc.property(snapshots, profile, fc.constantFrom('disk.entries', 'disk.vol-data'), (snapshot, chosen, source) => {
      const blind = {...snapshot, readings: {...snapshot.readings, [source]: absent('taken away')}}
      expect(detect(blind, chosen, detectors)).toMatchObject({looked: [], findings: []})
    }),
  )
})

test('the snapshots of these properties do give findings of each code', () => {
  const codes = fc
    .sample(snapshots, {numRuns: 500, seed: 1})
    .flatMap((snapshot) => detect(snapshot, profileOf('1.36.2'), detectors).findings)
  expect([...new Set(codes.map(({code}) => code))].toSorted()).toEqual(['U01', 'U02'])
})
