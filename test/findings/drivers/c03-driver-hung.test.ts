import {expect, test} from 'vitest'
import {detect} from '../../../src/findings/detect.ts'
import {detectors} from '../../../src/findings/detectors.ts'
import {profileOf} from '../../../src/kubelet/profiles.ts'
import {answers, type CsiNode, csiNode, down, driverSocket, registration} from '../../support/csi-node.ts'
import {findingsOf, reportFrom, severitiesOf} from '../../support/found.ts'
import {at, snapshotOf} from '../../support/snapshot-builder.ts'

const silent = down('silent')
const registered = registration('d', answers)
const hung = driverSocket('d', silent)

test.each<[string, CsiNode, string[]]>([
  ['a driver that does not answer', {registrations: [registered], sockets: [hung]}, ['error']],
  [
    'a driver that does not answer and whose registration is dead, as one',
    {registrations: [registration('d', down('refused'))], sockets: [hung]},
    ['error'],
  ],
  ['a driver that does not answer and that no volume needs', {registrations: [registered], sockets: [hung], used: false}, ['warning']],
  ['a registration that does not answer', {registrations: [registration('d', silent)], sockets: [driverSocket('d', answers)]}, ['warning']],
  [
    'a socket of we know not whom that does not answer',
    {registrations: [registered], sockets: [driverSocket('d', answers), driverSocket('x', silent, {socket: '/x.sock'})]},
    ['info'],
  ],
  ['a driver that starts slowly', {registrations: [registered], sockets: [hung], more: {'kernel.boot': {id: 'b', at: at(3500)}}}, ['info']],
])('C03 finds %s', (_what, parts, expected) => {
  expect(severitiesOf('C03', csiNode(parts))).toEqual(expected)
})

test.each<[string, CsiNode]>([
  ['a driver that answers', {registrations: [registered], sockets: [driverSocket('d', answers)]}],
  [
    'a driver whose Probe says that it is not ready: it lives',
    {registrations: [registered], sockets: [driverSocket('d', answers, {ready: false})]},
  ],
  ['a driver whose socket is dead: that is C02', {registrations: [registered], sockets: [driverSocket('d', down('refused'))]}],
  [
    'a driver whose socket is dead and whose registration hangs: that is C02',
    {registrations: [registration('d', silent)], sockets: [driverSocket('d', down('refused'))]},
  ],
])('C03 is silent about %s', (_what, parts) => {
  expect(severitiesOf('C03', csiNode(parts))).toEqual([])
})

const hasty = {state: 'silent', why: 'it has not answered GetInfo for 510ms', waitedMs: 510} as const

test.each<[string, CsiNode]>([
  ['its own socket', {registrations: [registered], sockets: [driverSocket('d', hasty)]}],
  ['its own socket, almost long enough', {registrations: [registered], sockets: [driverSocket('d', {...hasty, waitedMs: 1999})]}],
  ['its registration', {registrations: [registration('d', hasty)], sockets: [driverSocket('d', answers)]}],
  ['both', {registrations: [registration('d', hasty)], sockets: [driverSocket('d', hasty)]}],
])('C03 is not looked for where an answer was not waited for long enough: %s', (_what, parts) => {
  const report = reportFrom(csiNode(parts))
  expect(report.findings).toEqual([])
  expect(report.looked).not.toContain('C03')
  expect(report.unseen.map(({why}) => why).join()).toMatch(/too early to say whether .*\.sock/)
})

test('C03 takes the words of an answer for the time that was waited', () => {
  const told = (why: string) =>
    severitiesOf('C03', csiNode({registrations: [registered], sockets: [driverSocket('d', {state: 'silent', why})]}))
  expect(told('it has not answered GetPluginInfo for 510ms')).toEqual([])
  expect(told('it answered GetPluginInfo, but it has not answered Probe for 1s')).toEqual([])
  expect(told('it has not answered GetPluginInfo for 2s')).toEqual(['error'])
  expect(told('/x.sock takes connections but has said nothing for 1m 5s')).toEqual(['error'])
})

test('C03 finds one socket that hangs beside another that was not waited for, and names that as unseen', () => {
  const parts = csiNode({registrations: [registered], sockets: [hung, driverSocket('x', hasty)]})
  const report = reportFrom(parts)
  expect(report.findings.map(({code, subject}) => [code, subject.driver])).toEqual([['C03', 'd']])
  expect(report.looked).toContain('C03')
  expect(report.unseen.filter(({source}) => source === 'csi.drivers').map(({why}) => why)).toEqual([
    expect.stringContaining('plugins/x/csi.sock'),
  ])
})

test('C02 stays C02 when the registration was not waited for', () => {
  const parts = csiNode({registrations: [registration('d', hasty)], sockets: [driverSocket('d', down('refused'))]})
  expect(reportFrom(parts).findings.map(({code}) => code)).toEqual(['C02'])
})

test('C01 is not looked for when a registration that was not waited for may be that of the driver', () => {
  const parts = csiNode({registrations: [{socket: '/var/lib/kubelet/plugins_registry/any.sock', answer: hasty}]})
  const report = reportFrom(parts)
  expect(report.findings).toEqual([])
  expect(report.looked).not.toContain('C01')
})

test('C03 is the cause of what is wrong with the volumes of its driver', () => {
  const staging = 'plugins/kubernetes.io/csi/d/x'
  const parts = csiNode({registrations: [registered], sockets: [hung]})
  const waiting = [{path: `${staging}/vol_data.json`, data: {driverName: 'd', volumeHandle: 'h2'}}]
  const pods = parts.sources?.['kubelet.pods']?.map((pod) => ({
    ...pod,
    phase: 'Pending',
    volumes: [...pod.volumes, {name: 'b', kind: 'persistentVolumeClaim', claim: 'b'}],
  }))
  const entries = ['plugins/kubernetes.io/csi', 'plugins/kubernetes.io/csi/d', staging].map(
    (path) => ({path, type: 'directory', mode: 0o750, size: 0}) as const,
  )
  const sources = {...parts.sources, 'disk.entries': entries, 'disk.vol-data': waiting, ...(pods && {'kubelet.pods': pods})}
  const found = findingsOf('U01', {...parts, sources})
  expect(found.map(({cause}) => cause?.code)).toEqual(['C03'])
  expect(findingsOf('C03', {...parts, sources}).map(({subject}) => subject)).toEqual(found.map(({cause}) => cause?.subject))
})

test.each<[what: string, answer: typeof silent, since: string | undefined]>([
  ['for as long as it was waited for', {state: 'silent', why: 'x', waitedMs: 3000}, '2026-11-30T03:59:57Z'],
  ['for as long as its words say', {state: 'silent', why: 'it has not answered Probe for 2s'}, '2026-11-30T03:59:58Z'],
  ['for a time that nobody tells', silent, undefined],
])('C03 says that a driver has been silent %s', (_what, answer, since) => {
  const found = findingsOf('C03', csiNode({registrations: [registered], sockets: [driverSocket('d', answer)]}))
  expect(found.map((finding) => finding.since)).toEqual([since])
})

test.each([
  [
    '1.36.2',
    /gives each call up after 2m, or 20s where the driver does not even greet it, takes what a stage or publish did for uncertain/,
  ],
  [
    '1.17.3',
    /gives each call up after 2m, or 20s where the driver does not even greet it, takes a stage or publish for not done, so that nobody undoes it/,
  ],
])('C03 says what kubelet %s does next', (version, words) => {
  const snapshot = snapshotOf(csiNode({registrations: [registered], sockets: [hung]}))
  const {findings} = detect(snapshot, profileOf(version), detectors)
  expect(findings.map(({next}) => next)).toEqual([expect.stringMatching(words)])
})
