import {expect, test} from 'vitest'
import {formatInstant} from '../../../src/base/instant.ts'
import {detect} from '../../../src/findings/detect.ts'
import {detectors} from '../../../src/findings/detectors.ts'
import {profileOf} from '../../../src/kubelet/profiles.ts'
import {answers, type CsiNode, csiNode, down, driverSocket, registration} from '../../support/csi-node.ts'
import {detectionOf, findingsOf, severitiesOf} from '../../support/found.ts'
import {at, entriesOf, logLine, snapshotOf} from '../../support/snapshot-builder.ts'

const other = registration('e', answers)
const boot = (seconds: number) => ({'kernel.boot': {id: 'b', at: at(seconds)}})
const registering = logLine(0, 'kubernetes.io/csi: Register new plugin with name: d at endpoint: /var/lib/kubelet/plugins/shared/csi.sock')

test.each<[string, CsiNode, string[]]>([
  ['a driver that nothing is registered as', {}, ['error']],
  ['a driver beside which another is registered', {registrations: [other], sockets: [driverSocket('e', answers)]}, ['error']],
  [
    'a driver that tells its name and no more, and is not registered',
    {sockets: [driverSocket('d', down('failed'), {name: 'd'})]},
    ['warning'],
  ],
  ['a driver that runs and is not registered', {sockets: [driverSocket('d', answers)]}, ['warning']],
  [
    'a driver whose registration may be a socket that does not answer',
    {registrations: [{socket: '/r/x.sock', answer: down('refused')}]},
    ['warning'],
  ],
  ['a node that has been up for five minutes', {more: boot(3300)}, ['info']],
  ['a node that has been up for nine minutes', {more: boot(3060)}, ['error']],
  ['a kubelet that started a minute ago', {more: {'kubelet.log': [logLine(3540, 'Starting Kubelet Volume Manager')]}}, ['info']],
])('C01 finds %s', (_what, parts, expected) => {
  expect(severitiesOf('C01', csiNode(parts))).toEqual(expected)
})

test.each<[string, CsiNode]>([
  ['a driver that is registered', {registrations: [registration('d', answers)]}],
  [
    'a driver that is registered under another path of the root',
    {registrations: [registration('d', answers, {socket: '/elsewhere/x.sock'})]},
  ],
  ['a node on which no volume needs a driver', {used: false}],
  ['a registration that refuses: that is C02', {registrations: [registration('d', down('refused'))]}],
  ['a driver that hangs: that is C03', {sockets: [driverSocket('d', down('silent'))]}],
  ['a registration that we may not open', {registrations: [registration('d', down('denied'))]}],
  ['a registration of we know not whom that we may not open', {registrations: [{socket: '/r/x.sock', answer: down('denied')}]}],
])('C01 is silent about %s', (_what, parts) => {
  expect(severitiesOf('C01', csiNode(parts))).toEqual([])
})

const hasty = {state: 'silent', why: 'it has not answered GetInfo for 300ms', waitedMs: 300} as const

test.each<[string, CsiNode]>([
  [
    'a registration socket under another name',
    {registrations: [{socket: '/r/x-reg.sock', answer: hasty}], sockets: [driverSocket('d', answers)]},
  ],
  ['every socket', {registrations: [{socket: '/r/x-reg.sock', answer: hasty}], sockets: [driverSocket('x', hasty)]}],
  ['a socket of we know not whom', {sockets: [driverSocket('x', hasty)]}],
])('C01 has not looked when there was too little time for %s', (_what, parts) => {
  const {findings, looked, unseen} = detectionOf('C01', csiNode(parts))
  expect({findings, looked}).toEqual({findings: [], looked: []})
  expect(unseen.map(({why}) => why).join()).toContain('too early to say')
})

test('C01 is silent when a registration socket lies on the disk that nobody asked', () => {
  const {sources = {}, ...parts} = csiNode({})
  const asked = snapshotOf({...parts, sources}).readings['disk.entries']
  if (asked.state !== 'read') throw new Error('unreachable')
  const socket = (path: string) => [...asked.value, {path, type: 'socket', mode: 0o700, size: 0} as const]
  const data = [{path: 'pods/u1/volumes/kubernetes.io~csi/pv1/vol_data.json', data: {driverName: 'd', volumeHandle: 'h1'}}]
  const found = (path: string) =>
    severitiesOf('C01', {...parts, sources: {...sources, 'disk.entries': socket(path), 'disk.vol-data': data}})
  expect(found('plugins_registry/d-reg.sock')).toEqual([])
  expect(found('plugins_registry/.d-reg.sock')).toEqual(['error'])
  expect(found('plugins/x/csi.sock')).toEqual(['error'])
})

test.each([
  ['its own directory', driverSocket('d', answers, {name: 'new'}), {}],
  ['the directory that the log names', driverSocket('shared', answers, {name: 'new'}), {'kubelet.log': [registering]}],
])('C01 names the driver that answers in %s: it may be the same', (_what, socket, more) => {
  const found = findingsOf('C01', csiNode({sockets: [socket], registrations: [other], more}))
  expect(found.map(({message}) => message)).toEqual([expect.stringContaining('Where it was, new answers')])
})

test('C01 cannot be looked for without the registrations', () => {
  const {sources = {}, ...parts} = csiNode({})
  const {'csi.registrations': _, ...without} = sources
  expect(severitiesOf('C01', {...parts, sources: without})).toEqual([])
})

test('C01 says whose volumes need the driver', () => {
  const [found] = findingsOf('C01', csiNode({}))
  expect(found?.message).toContain('1 volume needs it: pv1 of default/web-0')
  expect(found?.subject).toEqual({kind: 'Driver', driver: 'd'})
})

test.each<[string, CsiNode]>([
  ['its registration may not be opened', {registrations: [registration('d', down('denied'))]}],
  ['a registration of we know not whom may not be opened', {registrations: [{socket: '/r/x.sock', answer: down('denied')}]}],
])('C01 cannot be looked for when %s, and that is said', (_what, parts) => {
  const {looked, unseen} = detect(snapshotOf(csiNode(parts)), profileOf('1.36.2'), detectors)
  expect(looked).not.toContain('C01')
  expect(unseen).toContainEqual({source: 'csi.registrations', why: expect.stringContaining('would not')})
})

const volume = 'pods/u1/volumes/kubernetes.io~csi/pv1'
/** The directories as they are, and when they last changed. */
const changed = (dates: Readonly<Record<string, number>>) =>
  entriesOf([`${volume}/`, 'plugins_registry/sub/']).map((entry) => {
    const seconds = dates[entry.path]
    return seconds === undefined ? entry : {...entry, modifiedAt: at(seconds)}
  })
const recorded = {'disk.vol-data': [{path: `${volume}/vol_data.json`, data: {driverName: 'd', volumeHandle: 'h1'}}]}
const registry = {plugins_registry: 3000, 'plugins_registry/sub': 900}

test.each<[what: string, dates: Readonly<Record<string, number>>, parts: CsiNode, since: number | undefined]>([
  ['since the last socket came or went', {...registry, [volume]: 100}, {}, 3000],
  ['since one in a subdirectory did', {...registry, 'plugins_registry/sub': 3100, [volume]: 100}, {}, 3100],
  ['since the volume needed it', {...registry, [volume]: 3500}, {}, 3500],
  ['since the node started a moment ago', {...registry, [volume]: 100}, {more: boot(3300)}, 3300],
  ['since the node started a moment ago, whatever nobody dated', {}, {more: boot(3300)}, 3300],
  ['at an unknown time where nobody dated the directory', {[volume]: 100}, {}, undefined],
  ['at an unknown time where nobody dated the subdirectory', {plugins_registry: 3000, [volume]: 100}, {}, undefined],
  ['at an unknown time where nobody dated the volume', registry, {}, undefined],
  [
    'at an unknown time where a socket that does not answer may be its',
    {...registry, [volume]: 100},
    {registrations: [{socket: '/r/x.sock', answer: down('refused')}]},
    undefined,
  ],
])('C01 says that it has been so %s', (_what, dates, parts, since) => {
  const more = {'disk.entries': changed(dates), ...recorded, ...parts.more}
  const [found] = findingsOf('C01', csiNode({...parts, more}))
  expect(found?.since).toBe(since === undefined ? undefined : formatInstant(at(since)))
})
