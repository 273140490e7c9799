import fc from 'fast-check'
import {expect, test} from 'vitest'
import {detect} from '../../src/findings/detect.ts'
import {detectors} from '../../src/findings/detectors.ts'
import {podStandings} from '../../src/findings/pods/standing.ts'
import {profileOf, profileVersions} from '../../src/kubelet/profiles.ts'
import {absent, failed} from '../../src/node/reading.ts'
import {type Snapshot, sourceNames} from '../../src/node/snapshot.ts'
import {gone, runningContainer} from '../support/small-node.ts'
import {mountAt, sandboxOf, snapshotOf, waitingPod} from '../support/snapshot-builder.ts'

const uid = fc.constantFrom('u1', 'u2', 'a b', '..', '', gone)
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
const volumeLifecycleMode = fc.constantFrom('Persistent', 'Ephemeral')
const data = fc.record({driverName: driver, volumeHandle: fc.constantFrom('h1', 'h2', 'x^y'), volumeLifecycleMode}, {requiredKeys: []})
const mountPoint = path.map((each) => `/var/lib/kubelet/${each.replace(/\/$/, '')}`)
const mount = fc
  .record({mountPoint, id: fc.integer({min: 40, max: 60}), parent: fc.integer({min: 1, max: 60}), device: fc.constantFrom('8:0', '8:16')})
  .map((each) => ({...mountAt(each.mountPoint), ...each}))
const phase = fc.constantFrom('Pending', 'Running')
const pod = fc
  .tuple(uid, fc.array(fc.constantFrom('c1', 'c2')), phase)
  .map(([u, claims, each]) => waitingPod(`p-${u}`, u, claims, {phase: each}))
const driversRead = fc.constantFrom([], [
  {socket: '/s', answer: {state: 'answers'}, name: 'd1', capabilities: ['STAGE_UNSTAGE_VOLUME']},
] as const)

const snapshots = fc
  .record({
    files: fc.array(path),
    volData: fc.dictionary(dataPath, data),
    pods: fc.array(pod),
    mounts: fc.array(mount),
    drivers: driversRead,
    running: fc.array(uid),
    seconds: fc.integer({min: 0, max: 10_000}),
    lost: fc.subarray([...sourceNames]),
  })
  .map(({files, volData, pods, mounts, drivers, running, seconds, lost}): Snapshot => {
    const sources = {
      'kubelet.pods': pods,
      'runtime.sandboxes': [sandboxOf('p', 'u1')],
      'runtime.containers': running.map((each) => runningContainer('app', each)),
      'kernel.mounts': mounts,
      'csi.drivers': drivers,
    }
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
      const unread = sourceNames.filter((name) => snapshot.readings[name].state !== 'read')
      const doubted = unseen.filter(({why}) => why.endsWith('no pod can be called gone')).map(({source}) => source)
      expect(unseen.map(({source}) => source)).toEqual([...unread, ...doubted].toSorted())
      expect(findings.filter(({code}) => !looked.includes(code))).toEqual([])
    }),
  )
})

test('detect() without a needed source finds nothing of that code', () => {
  fc.assert(
    fc.property(snapshots, profile, fc.constantFrom(...detectors), (snapshot, chosen, detector) => {
      for (const group of detector.needs(chosen)) {
        const taken = Object.fromEntries(group.map((source) => [source, absent('taken away')]))
        const {looked, findings} = detect({...snapshot, readings: {...snapshot.readings, ...taken}}, chosen, detectors)
        expect(looked).not.toContain(detector.code)
        expect(findings.filter(({code}) => code === detector.code)).toEqual([])
      }
    }),
  )
})

test('detect() proposes nothing that deletes a directory with what is in it', () => {
  fc.assert(
    fc.property(snapshots, profile, (snapshot, chosen) => {
      const commands = detect(snapshot, chosen, detectors).findings.flatMap(({remedy}) => remedy.map(({command}) => command))
      expect(commands.filter((command) => /\brm\b[^'$]* -\w*[rR]/.test(command))).toEqual([])
    }),
  )
})

test('detect() gives the same in whatever order the entries and the mounts of other paths come', () => {
  fc.assert(
    fc.property(snapshots, (snapshot) => {
      const entries = snapshot.readings['disk.entries']
      if (entries.state !== 'read') return
      const turned = {...snapshot, readings: {...snapshot.readings, 'disk.entries': {...entries, value: entries.value.toReversed()}}}
      const messages = (each: Snapshot) =>
        detect(each, profileOf('1.36.2'), detectors).findings.map(({code, message}) => `${code} ${message}`)
      expect(messages(turned)).toEqual(messages(snapshot))
    }),
  )
})

test('the snapshots of these properties do give findings of each code', () => {
  const codes = fc
    .sample(snapshots, {numRuns: 6000, seed: 3})
    .flatMap((snapshot) => detect(snapshot, profileOf('1.36.2'), detectors).findings)
  expect([...new Set(codes.map(({code}) => code))].toSorted()).toEqual(
    expect.arrayContaining(['U01', 'U02', 'V01', 'V02', 'V03', 'V04', 'V05', 'V06', 'V07']),
  )
})
