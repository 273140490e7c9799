import {create} from '@bufbuild/protobuf'
import {expect, test} from 'vitest'
import {whyUnusable} from '../../../src/findings/usable.ts'
import {compareNodes} from '../../../src/node/diff/compare-nodes.ts'
import type {Difference} from '../../../src/node/diff/thing.ts'
import {absent, failed, read} from '../../../src/node/reading.ts'
import {type Snapshot, type SourceName, sourceNames} from '../../../src/node/snapshot.ts'
import {ContainerSchema, ContainerState, PodSandboxSchema, PodSandboxState} from '../../../src/wire/gen/cri_pb.ts'
import {fullNode, withFirst, withSource} from '../../support/full-node.ts'

const node = await fullNode()
const compared = (a: Snapshot, b: Snapshot) => compareNodes(a, b, whyUnusable)
const differences = (a: Snapshot, b: Snapshot) => compared(a, b).differences

/** 'group change: field from -> to', without names, which are for people. */
function said(difference: Difference): string {
  const fields = 'fields' in difference ? difference.fields.map(({field, from, to}) => `${field} ${from} -> ${to}`) : []
  return [`${difference.group} ${difference.change}`, ...fields].join('; ')
}

test('compareNodes: a node with every source does not differ from itself', () => {
  expect(compared(node, node)).toEqual({differences: [], notCompared: [], compared: expect.arrayContaining(['kubelet.pods', 'takeovers'])})
})

const both = (change: (node: Snapshot, source: 'kubelet.pods' | 'api.pods') => Snapshot) => change(change(node, 'kubelet.pods'), 'api.pods')

test.each<[string, Snapshot, readonly string[]]>([
  ['a pod is gone', both((each, source) => withSource(each, source, (pods) => pods.slice(1))), ['pods gone']],
  [
    'a pod has another phase',
    both((each, source) => withFirst(each, source, (pod) => ({...pod, phase: 'Failed'}))),
    ['pods changed; phase Running -> Failed'],
  ],
  [
    'a pod is deleted, at the API server only',
    withFirst(node, 'api.pods', (pod) => ({...pod, deletedAt: Date.parse('2026-11-30T03:00:00Z')})),
    ['pods changed; deletionTimestamp null -> 2026-11-30T03:00:00Z'],
  ],
  [
    'a container has ended, restarted, and is not ready',
    both((each, source) =>
      withFirst(each, source, (pod) => ({
        ...pod,
        containers: pod.containers.map((container) => ({
          ...container,
          state: 'terminated' as const,
          reason: 'Error',
          exitCode: 3,
          restarts: 1,
          ready: false,
        })),
      })),
    ),
    ['pods changed; container app running -> terminated Error (3); container app ready true -> false; container app restarts 0 -> 1'],
  ],
  [
    'a pod was made anew under its name',
    both((each, source) => withFirst(each, source, (pod) => ({...pod, uid: 'another', createdAt: 5}))),
    [expect.stringMatching(/^pods recreated; uid .* -> another$/)],
  ],
  [
    'a sandbox is not ready',
    withFirst(node, 'runtime.sandboxes', (sandbox) => create(PodSandboxSchema, {...sandbox, state: PodSandboxState.SANDBOX_NOTREADY})),
    ['sandboxes changed; state READY -> NOTREADY'],
  ],
  ['a container is gone', withSource(node, 'runtime.containers', (containers) => containers.slice(1)), ['containers gone']],
  [
    'a container has exited',
    withFirst(node, 'runtime.containers', (container) => create(ContainerSchema, {...container, state: ContainerState.CONTAINER_EXITED})),
    ['containers changed; state RUNNING -> EXITED'],
  ],
  [
    'a call of the runtime is not answered',
    withSource(node, 'runtime.answers', (answers) => ({
      ...answers,
      calls: [{method: 'Version', outcome: {state: 'silent', waitedMs: 2000}}],
    })),
    ['runtime changed; Version answered -> silent'],
  ],
  [
    'a vol_data.json is torn',
    withFirst(node, 'disk.vol-data', (file) => ({...file, data: {unreadable: 'it is empty'}})),
    [expect.stringMatching(/^volumes changed; vol_data readable -> unreadable: it is empty$/)],
  ],
  [
    'a second mount lies on the first',
    withSource(node, 'kernel.mounts', (mounts) => [...mounts, {...(mounts.at(-1) as (typeof mounts)[0]), id: 9999}]),
    ['mounts appeared'],
  ],
  [
    'a mount is read only',
    withFirst(node, 'kernel.mounts', (mount) => ({...mount, options: 'ro'})),
    [expect.stringMatching(/^mounts changed; options .* -> ro$/)],
  ],
  [
    'a mount is dead',
    withFirst(node, 'disk.mounts', (look) => ({...look, outcome: {state: 'error', code: 'ENOTCONN'}})),
    ['mounts changed; look ok -> error ENOTCONN'],
  ],
  [
    'a driver hangs',
    withFirst(node, 'csi.drivers', ({socket}) => ({socket, answer: {state: 'silent', why: 'no answer', waitedMs: 2000}})),
    ['drivers changed; answer answers -> silent'],
  ],
  [
    'a driver can do more',
    withFirst(node, 'csi.drivers', (driver) => ({...driver, capabilities: ['STAGE_UNSTAGE_VOLUME', 'EXPAND_VOLUME']})),
    ['drivers changed; capabilities STAGE_UNSTAGE_VOLUME -> EXPAND_VOLUME, STAGE_UNSTAGE_VOLUME'],
  ],
  [
    'a driver is no longer registered',
    withSource(node, 'csi.registrations', () => []),
    ['drivers changed; registered yes -> no', 'registrations gone'],
  ],
  ['a device is gone', withSource(node, 'kernel.devices', () => []), ['devices gone']],
  [
    "a device's file is gone",
    withFirst(node, 'kernel.devices', (device) => ({...device, backingFile: '/x (deleted)'})),
    ['devices changed; backing file /var/lib/csi-hostpath-data/x -> /x (deleted)'],
  ],
  ['the node was booted', withSource(node, 'kernel.boot', () => ({id: 'boot-2', at: node.when})), ['node changed; id boot-1 -> boot-2']],
  ['the kubelet is another version', {...node, kubeletVersion: '1.27.0'}, ['kubelet changed; version 1.26.5 -> 1.27.0']],
  [
    'the kubelet is not well',
    withSource(node, 'kubelet.healthz', () => ({ok: false, text: '[-]'})),
    ['kubelet changed; healthy true -> false'],
  ],
  ['a takeover is over', withSource(node, 'takeovers', () => []), ['takeovers gone']],
  [
    'a volume is attached',
    withSource(node, 'api.node', (status) => ({...status, volumesAttached: status.volumesInUse})),
    ['attachments changed; attached false -> true'],
  ],
])('compareNodes: %s, and nothing else', (_what, changed, expected) => {
  expect(differences(node, changed).map(said)).toEqual(expected)
})

test('compareNodes: moments that moved on are no difference', () => {
  const later = node.when + 60_000
  const moved = withSource(
    withSource(
      withSource({...node, when: later, kubeletProcess: {pid: 1, program: 'kubelet', certain: true}}, 'kernel.boot', (boot) => ({
        ...boot,
        at: boot.at + 900,
      })),
      'kernel.mounts',
      (mounts) => mounts.map((mount) => ({...mount, id: mount.id + 500, parent: mount.parent + 500})),
    ),
    'runtime.answers',
    (answers) => ({...answers, calls: [{method: 'Version', outcome: {state: 'answered', tookMs: 999}}]}),
  )
  const still = withFirst(moved, 'api.pods', (pod) => ({...pod, message: 'back-off 5m0s'}))
  expect(differences({...node, kubeletProcess: {pid: 1, program: 'kubelet', certain: true, startedAt: 3}}, still)).toEqual([])
})

test('compareNodes: of two nodes, boots and process ids are no difference', () => {
  const other = withSource({...node, node: 'n2'}, 'kernel.boot', () => ({id: 'boot-2', at: 1}))
  const process = {program: 'kubelet', certain: true}
  expect(differences({...node, kubeletProcess: {...process, pid: 1}}, {...other, kubeletProcess: {...process, pid: 2}})).toEqual([])
})

const unread = {
  absent: absent('not here'),
  failed: failed('no answer'),
}

const given = sourceNames.filter((name) => node.readings[name].state === 'read')

test.each(given.flatMap((name) => [[name, 'absent'] as const, [name, 'failed'] as const]))(
  'compareNodes: without %s, %s, on one side that is the difference, and nothing is gone',
  (name, how) => {
    const blind: Snapshot = {...node, readings: {...node.readings, [name]: unread[how]}}
    expect(differences(node, blind).map(said)).toEqual(['sources changed; state read -> not read'])
    expect(differences(blind, node).map(said)).toEqual(['sources changed; state not read -> read'])
  },
)

test.each<SourceName>(['kubelet.pods', 'runtime.containers', 'kernel.mounts', 'disk.entries', 'csi.registrations'])(
  'compareNodes: what %s lacks where it broke off is not gone, and what it has is compared',
  (name) => {
    const reading = node.readings[name]
    const torn: Snapshot = {...node, readings: {...node.readings, [name]: read([], 'it broke off') as never}}
    expect(reading.state).toBe('read')
    const {differences: found, notCompared} = compared(node, torn)
    expect(found.filter(({change}) => change === 'gone')).toEqual([])
    expect(found[0]).toMatchObject({group: 'sources', fields: [{from: 'read', to: 'read in part'}]})
    expect(notCompared).toEqual([{source: name, side: 'b', why: 'it broke off'}])
    expect(differences(torn, node).filter(({change}) => change === 'appeared')).toEqual([])
  },
)

test('compareNodes: an empty list of pods right after the start of the kubelet has no pod that is gone', () => {
  const started = withSource(node, 'kubelet.pods', () => [])
  expect(differences(node, started).map(said)).toEqual(['sources changed; state read -> read in part'])
})

test('compareNodes: of two pods of one name that went, nobody can tell which was made anew', () => {
  const pods = (uids: readonly string[]) =>
    both((each, source) =>
      withSource(each, source, ([first, ...rest]) => (first === undefined ? [] : [...uids.map((uid) => ({...first, uid})), ...rest])),
    )
  expect(differences(pods(['u1', 'u2']), pods(['u3'])).map(({change, key}) => [change, key])).toEqual([
    ['gone', 'u1'],
    ['gone', 'u2'],
    ['appeared', 'u3'],
  ])
})
