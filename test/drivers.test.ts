import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {drivers} from '../src/drivers.ts'
import type {DriverSocket, Registration, SocketAnswer} from '../src/node/csi/sockets.ts'
import {absent, failed, type Reading, read} from '../src/node/reading.ts'
import type {VolDataFile} from '../src/node/vol-data.ts'
import {snapshotOf} from './support/snapshot-builder.ts'

interface Parts {
  readonly registrations?: Reading<readonly Registration[]> | readonly Registration[]
  readonly sockets?: Reading<readonly DriverSocket[]> | readonly DriverSocket[]
  readonly volData?: Reading<readonly VolDataFile[]> | readonly VolDataFile[]
}

const readingOf = <T>(given: Reading<readonly T[]> | readonly T[]): Reading<readonly T[]> => ('state' in given ? given : read(given))

function viewOf({registrations = [], sockets = [], volData = []}: Parts) {
  const {readings, ...snapshot} = snapshotOf({})
  const csi = {'csi.registrations': readingOf(registrations), 'csi.drivers': readingOf(sockets), 'disk.vol-data': readingOf(volData)}
  return drivers({...snapshot, readings: {...readings, ...csi}})
}

const registry = (name: string) => `/var/lib/kubelet/plugins_registry/${name}-reg.sock`
const own = (name: string) => `/var/lib/kubelet/plugins/${name}/csi.sock`
const refused: SocketAnswer = {state: 'refused', why: 'nobody listens there'}

const registration = (name: string, more: Partial<Registration> = {}): Registration => ({
  socket: registry(name),
  answer: {state: 'answers'},
  type: 'CSIPlugin',
  name,
  endpoint: own(name),
  versions: ['1.0.0'],
  ...more,
})
const mute = (socket: string): Registration => ({socket, answer: refused})
const socket = (name: string, more: Partial<DriverSocket> = {}): DriverSocket => ({
  socket: own(name),
  answer: {state: 'answers'},
  name,
  version: '1.2.3',
  capabilities: ['STAGE_UNSTAGE_VOLUME'],
  nodeId: 'n1',
  ...more,
})
const volume = (driverName: string, volumeHandle: string, path = `${driverName}/${volumeHandle}`): VolDataFile => ({
  path,
  data: {driverName, volumeHandle},
})

describe('drivers()', () => {
  test('joins a registration, its socket and the volumes', () => {
    const volData = [volume('a', 'v1', 'staging'), volume('a', 'v1', 'pod'), volume('a', 'v2')]
    expect(viewOf({registrations: [registration('a')], sockets: [socket('a')], volData})).toEqual({
      items: [{...socket('a'), registered: {state: 'yes'}, registration: registry('a'), volumes: 2}],
      warnings: [],
    })
  })

  test('counts files without a handle each for itself', () => {
    const volData = [volume('a', '', 'one'), {path: 'two', data: {driverName: 'a'}}]
    expect(viewOf({volData}).items).toMatchObject([{name: 'a', volumes: 2}])
  })

  test('lists a driver that only a vol_data.json names', () => {
    expect(viewOf({registrations: [registration('a')], sockets: [socket('a')], volData: [volume('gone', 'v')]}).items).toEqual([
      expect.objectContaining({name: 'a', volumes: 0}),
      {name: 'gone', registered: {state: 'no', why: 'no registration names it'}, volumes: 1},
    ])
  })

  test.for<[string, Parts, {readonly state: string; readonly why: string}]>([
    ['no registration', {}, {state: 'no', why: 'no registration names it'}],
    [
      'another socket by the same name',
      {registrations: [registration('a', {endpoint: '/else.sock'})]},
      {state: 'no', why: 'by this name another socket is registered: /else.sock'},
    ],
    ['a registration that is stale', {registrations: [mute(registry('a'))]}, {state: 'fails', why: 'nobody listens there'}],
    [
      'a registration that may be anybody’s',
      {registrations: [mute('/registry/x.sock')]},
      {state: 'unknown', why: '/registry/x.sock does not say whose registration it is'},
    ],
    [
      'the registration of another driver that is stale',
      {registrations: [mute(registry('b'))]},
      {state: 'no', why: 'no registration names it'},
    ],
    ['registrations that nobody saw', {registrations: absent('not in the bundle')}, {state: 'unknown', why: 'not in the bundle'}],
    ['registrations that could not be read', {registrations: failed('EIO')}, {state: 'unknown', why: 'EIO'}],
    ['registrations that are not all', {registrations: read([], 'too many')}, {state: 'unknown', why: 'too many'}],
    [
      'a plugin of another kind by the same name',
      {registrations: [registration('a', {type: 'DRAPlugin'})]},
      {state: 'no', why: 'no registration names it'},
    ],
  ])('says of a driver with %s whether it is registered', ([, parts, registered]) => {
    const {items} = viewOf({...parts, sockets: [socket('a')]})
    expect(items.find((item) => item.socket === own('a'))).toMatchObject({name: 'a', registered})
  })

  test.for<[string, readonly string[], string]>([
    ['1.x', ['1.0.0'], 'yes'],
    ['1.x beside others', ['0.3.0', 'v1.11', '2.0.0'], 'yes'],
    ['no version', [], 'fails'],
    ['0.x and 2.x', ['0.3.0', '2.0.0'], 'fails'],
    ['words', ['latest', '1'], 'fails'],
  ])('takes a registration of %s as the kubelet does', ([, versions, state]) => {
    expect(viewOf({registrations: [registration('a', {versions})], sockets: [socket('a')]}).items).toMatchObject([{registered: {state}}])
  })

  test('does not know which of two registrations of a name the kubelet took', () => {
    const registrations = [registration('a'), registration('a', {socket: registry('b'), endpoint: own('b')})]
    const {items} = viewOf({registrations, sockets: [socket('a'), socket('b', {name: 'a'})]})
    expect(items.map(({socket, registered}) => [socket, registered.state])).toEqual([
      [own('a'), 'unknown'],
      [own('b'), 'unknown'],
    ])
  })

  test('takes a link to a registration for the same', () => {
    const registrations = [registration('a'), registration('a', {socket: '/registry/link.sock'})]
    expect(viewOf({registrations, sockets: [socket('a')]}).items).toMatchObject([{registered: {state: 'yes'}}])
  })

  test('shows both names of a driver that contradicts its registration', () => {
    const {items} = viewOf({registrations: [registration('a')], sockets: [socket('a', {name: 'b'})], volData: [volume('b', 'v')]})
    expect(items).toMatchObject([
      {name: 'a', ownName: 'b', volumes: 0},
      {name: 'b', registered: {state: 'no'}, volumes: 1},
    ])
  })

  test('lists a stale registration that belongs to nothing else', () => {
    expect(viewOf({registrations: [mute(registry('a')), mute('/registry/x.sock')]}).items).toEqual([
      {name: 'a', registered: {state: 'fails', why: 'nobody listens there'}, registration: registry('a'), volumes: 0},
      {registered: {state: 'fails', why: 'nobody listens there'}, registration: '/registry/x.sock'},
    ])
  })

  test('leaves volumes open where no vol_data.json was read, and says what it did not see', () => {
    const view = viewOf({sockets: read([socket('a')], 'plugins/b cannot be read'), volData: absent('not in the bundle')})
    expect(view.items[0]).not.toHaveProperty('volumes')
    expect(view.incomplete).toBe('csi.drivers: plugins/b cannot be read; disk.vol-data: not in the bundle')
  })

  test('warns of files that are not counted', () => {
    const volData = [volume('a', 'v'), {path: 'x', data: {unreadable: 'it is empty'}}, {path: 'y', data: {}}]
    expect(viewOf({volData}).warnings).toEqual([
      '2 of 3 vol_data.json files name no driver or cannot be read: their volumes are not counted',
    ])
  })

  test('loses no socket, no registration and no volume, whatever they say', () => {
    const name = fc.constantFrom('a', 'b', '')
    const answer = fc.constantFrom<SocketAnswer>({state: 'answers'}, refused, {state: 'silent', why: 'x'})
    const registrations = fc.uniqueArray(
      fc
        .record({socket: fc.constantFrom(...['a', 'b', 'c'].map(registry), '/x.sock'), answer, name, endpoint: name.map(own)})
        .map(
          ({answer, socket, ...rest}): Registration =>
            answer.state === 'answers' ? {socket, answer, type: 'CSIPlugin', ...rest} : {socket, answer},
        ),
      {selector: ({socket}) => socket},
    )
    const sockets = fc.uniqueArray(
      fc
        .record({socket: name.map(own), answer, name})
        .map(({name, ...rest}): DriverSocket => (rest.answer.state === 'answers' ? {...rest, name} : rest)),
      {selector: ({socket}) => socket},
    )
    const volData = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'z'), fc.constantFrom('v', 'w')).map((parts) => volume(...parts)))
    fc.assert(
      fc.property(registrations, sockets, volData, (registrations, sockets, volData) => {
        const {items} = viewOf({registrations, sockets, volData})
        for (const {socket} of sockets) expect(items.filter((item) => item.socket === socket)).not.toEqual([])
        for (const {socket, answer} of registrations) {
          if (answer.state !== 'answers') expect(items.map(({registration}) => registration)).toContain(socket)
        }
        for (const {data} of volData) {
          if ('unreadable' in data) continue
          const rows = items.filter((item) => item.name === data.driverName)
          expect(rows.length).toBeGreaterThan(0)
          for (const row of rows) expect(row.volumes).toBeGreaterThan(0)
        }
      }),
    )
  })
})
