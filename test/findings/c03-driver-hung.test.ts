import {expect, test} from 'vitest'
import {answers, type CsiNode, csiNode, down, driverSocket, registration} from '../support/csi-node.ts'
import {findingsOf, severitiesOf} from '../support/found.ts'
import {at} from '../support/snapshot-builder.ts'

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
