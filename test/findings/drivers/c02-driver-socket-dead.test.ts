import {expect, test} from 'vitest'
import {answers, type CsiNode, csiNode, down, driverSocket, registration} from '../../support/csi-node.ts'
import {findingsOf, severitiesOf} from '../../support/found.ts'
import {at, mountAt} from '../../support/snapshot-builder.ts'

const refused = down('refused')
const registered = registration('d', answers)
const alive = driverSocket('d', answers)
const dead = driverSocket('d', refused)
const stale = registration('d', refused)

test.each<[string, CsiNode, string[]]>([
  ['a driver that is down while its registration answers', {registrations: [registered], sockets: [dead]}, ['error']],
  ['a driver that is down and that no volume needs', {registrations: [registered], sockets: [dead], used: false}, ['warning']],
  [
    'a driver whose socket is not there although its registration names it',
    {registrations: [registered], sockets: [driverSocket('d', down('missing'))]},
    ['error'],
  ],
  ['a registration that is dead while the driver answers', {registrations: [stale], sockets: [alive]}, ['error']],
  ['both dead, as one', {registrations: [stale], sockets: [dead]}, ['error']],
  ['a registration that was left of a driver nobody uses', {registrations: [stale], used: false}, ['warning']],
  [
    'a registration that was left beside one that answers',
    {registrations: [registered, registration('d', refused, {socket: '/r/d-reg.sock'})], sockets: [alive]},
    ['info'],
  ],
  [
    'an old socket of we know not whom',
    {registrations: [registered], sockets: [alive, driverSocket('d', refused, {socket: '/var/lib/kubelet/plugins/d/old.sock'})]},
    ['info'],
  ],
  [
    'a driver that is down on a node that has just started',
    {registrations: [registered], sockets: [dead], more: {'kernel.boot': {id: 'b', at: at(3500)}}},
    ['info'],
  ],
])('C02 finds %s', (_what, parts, expected) => {
  expect(severitiesOf('C02', csiNode(parts))).toEqual(expected)
})

test.each<[string, CsiNode]>([
  ['a driver that answers', {registrations: [registered], sockets: [alive]}],
  ['sockets that we may not open', {registrations: [registration('d', down('denied'))], sockets: [driverSocket('d', down('denied'))]}],
  ['a socket that is not there and that nobody names', {registrations: [registered], sockets: [alive, driverSocket('x', down('missing'))]}],
  ['a driver that tells its name and no more', {registrations: [registered], sockets: [driverSocket('d', down('failed'), {name: 'd'})]}],
  ['a socket that speaks something else', {registrations: [registered], sockets: [alive, driverSocket('x', down('other-service'))]}],
  [
    'a device plugin',
    {registrations: [registered, {socket: '/r/gpu.sock', answer: answers, type: 'DevicePlugin', name: 'gpu'}], sockets: [alive]},
  ],
])('C02 is silent about %s', (_what, parts) => {
  expect(severitiesOf('C02', csiNode(parts))).toEqual([])
})

test('C02 tells two drivers in one directory apart by their registrations', () => {
  const socket = (name: string) => `/var/lib/kubelet/plugins/shared/${name}.sock`
  const registrations = [registration('d', answers, {endpoint: socket('d')}), registration('e', answers, {endpoint: socket('e')})]
  const sockets = [driverSocket('d', refused, {socket: socket('d')}), driverSocket('e', answers, {socket: socket('e')})]
  expect(findingsOf('C02', csiNode({registrations, sockets})).map(({subject}) => subject)).toEqual([
    {kind: 'Driver', driver: 'd', path: socket('d')},
  ])
})

test('C02 is info while the socket is a few seconds old', () => {
  const entries = [{path: 'plugins/d/csi.sock', type: 'socket', mode: 0o755, size: 0, modifiedAt: at(3590)} as const]
  const parts = csiNode({registrations: [registered], sockets: [dead], more: {'disk.entries': entries, 'disk.vol-data': []}})
  expect(severitiesOf('C02', parts)).toEqual(['info'])
})

const removals = (parts: CsiNode) =>
  findingsOf('C02', csiNode(parts)).flatMap(({remedy}) => remedy.flatMap(({command}) => (/\brm\b/.test(command) ? [command] : [])))

test('C02 removes a stale registration socket only where its owner is down, and only when nothing listens', () => {
  expect(removals({registrations: [stale], sockets: [alive]})).toEqual([])
  const guarded = `curl -s -m 3 -o /dev/null --unix-socket ${stale.socket} http://localhost/; test $? -eq 7 && rm ${stale.socket}`
  expect(removals({registrations: [stale], sockets: [dead]})).toEqual([guarded])
  expect(removals({registrations: [stale], used: false})).toEqual([guarded])
})

test('C02 warns of FUSE mounts that end with the pod of the driver', () => {
  const mount = {...mountAt('/var/lib/kubelet/pods/u1/volumes/kubernetes.io~csi/pv1/mount'), fsType: 'fuse.s3fs', device: '0:9'}
  const parts = csiNode({registrations: [registered], sockets: [dead], more: {'kernel.mounts': [mount]}})
  expect(findingsOf('C02', parts)[0]?.remedy.map(({loses}) => loses)).toContain(
    'the FUSE mounts that the pod serves: what uses them gets ENOTCONN',
  )
})

const ownSocket = 'plugins/d/csi.sock'
const socketMade = (seconds: number, directory = 0) => [
  {path: 'plugins/d', type: 'directory', mode: 0o755, size: 0, modifiedAt: at(directory)} as const,
  {path: ownSocket, type: 'socket', mode: 0o755, size: 0, modifiedAt: at(seconds)} as const,
]
const booted = (seconds: number) => ({'kernel.boot': {id: 'b', at: at(seconds)}})

test.each<[what: string, socket: typeof dead, more: CsiNode['more'], since: string | undefined]>([
  ['since the node started, of a socket that is older', dead, {'disk.entries': socketMade(100), ...booted(500)}, '2026-11-30T03:08:20Z'],
  ['at an unknown time, of a socket that was made since the node started', dead, {'disk.entries': socketMade(100)}, undefined],
  ['at an unknown time, of a socket that nobody dated', dead, booted(500), undefined],
  ['since a young socket was made', dead, {'disk.entries': socketMade(3590)}, '2026-11-30T03:59:50Z'],
  ['since a young node started', dead, {'disk.entries': socketMade(3100), ...booted(3400)}, '2026-11-30T03:56:40Z'],
  [
    'since the directory changed, of a socket that is not there',
    driverSocket('d', down('missing')),
    {'disk.entries': socketMade(0, 3000).slice(0, 1)},
    '2026-11-30T03:50:00Z',
  ],
  [
    'at an unknown time, of a socket that was not there and is',
    driverSocket('d', down('missing')),
    {'disk.entries': socketMade(3000, 3000)},
    undefined,
  ],
])('C02 says that it has been so %s', (_what, socket, more, since) => {
  const [found] = findingsOf(
    'C02',
    csiNode({registrations: [registered], sockets: [socket], ...(more && {more: {'disk.vol-data': [], ...more}})}),
  )
  expect(found).toBeDefined()
  expect(found?.since).toBe(since)
})

test.each<[string, CsiNode, RegExp]>([
  ['a dead socket of its own', {registrations: [registered], sockets: [dead]}, /UNAVAILABLE .* from 500ms to 2m 2s/],
  [
    'a dead registration',
    {registrations: [stale], used: false},
    /up to 2m 2s apart, until somebody listens .* stays so until the file goes/,
  ],
  [
    'a dead registration beside one that answers',
    {registrations: [registered, registration('d', refused, {socket: '/r/d-reg.sock'})], sockets: [alive]},
    /stays registered by the other one/,
  ],
])('C02 says what the kubelet does next about %s', (_what, parts, words) => {
  expect(findingsOf('C02', csiNode(parts)).map(({next}) => next)).toEqual([expect.stringMatching(words)])
})
