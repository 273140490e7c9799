import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {parsePods} from '../../src/node/pod.ts'

const list = (...items: unknown[]) => ({kind: 'PodList', apiVersion: 'v1', items})
const named = (metadata: object = {}, rest: object = {}) => ({metadata: {name: 'a', namespace: 'ns', uid: 'u1', ...metadata}, ...rest})
const bare = {name: 'a', namespace: 'ns', uid: 'u1', finalizers: [], volumes: [], containers: []}

const weird: readonly [string, unknown, object][] = [
  ['creationTimestamp null', named({creationTimestamp: null}), bare],
  ['creationTimestamp that is no time', named({creationTimestamp: 'yesterday', deletionTimestamp: 5}), bare],
  ['a phase missing', named({}, {spec: {}, status: {}}), bare],
  ['everything of a wrong type', named({finalizers: 'x', annotations: []}, {spec: [], status: 'x'}), bare],
  ['lists of null', named({finalizers: [null]}, {spec: {volumes: [null]}, status: {containerStatuses: [null]}}), bare],
  ['no namespace', {metadata: {name: 'a', uid: 'u1'}}, {...bare, namespace: ''}],
  ['a finalizer', named({finalizers: ['example.test/hold']}), {...bare, finalizers: ['example.test/hold']}],
  ['a uid of 32 hex digits', named({uid: '8a6b1d2c'.repeat(4)}), {...bare, uid: '8a6b1d2c'.repeat(4)}],
  ['its source', named({annotations: {'kubernetes.io/config.source': 'file'}}), {...bare, configSource: 'file'}],
  ['a mirror of a static pod', named({annotations: {'kubernetes.io/config.mirror': '8a6b'}}), {...bare, staticUid: '8a6b'}],
  ['the hash of a static pod', named({annotations: {'kubernetes.io/config.hash': '8a6b'}}), {...bare, staticUid: '8a6b'}],
  [
    'containers with restart rules of their own',
    named(
      {},
      {
        spec: {
          containers: [{name: 'a', restartPolicyRules: []}, {name: 'b', restartPolicy: 'Never'}, {name: 'c'}, {restartPolicy: 'Never'}],
        },
      },
    ),
    {...bare, ownRestarts: ['a', 'b']},
  ],
  [
    'a deletion before its creation',
    named({creationTimestamp: '2026-11-30T03:00:00Z', deletionTimestamp: '2026-11-30T02:00:00Z'}),
    {...bare, createdAt: 1796007600000, deletedAt: 1796004000000},
  ],
  [
    'a volume of each kind',
    named(
      {},
      {
        spec: {
          volumes: [
            {name: 'p', persistentVolumeClaim: {claimName: 'pvc'}},
            {name: 'i', csi: {driver: 'd.example.test'}},
            {name: 'e', emptyDir: {}},
            {name: 'n'},
            {csi: {driver: 'x'}},
          ],
        },
      },
    ),
    {
      ...bare,
      volumes: [
        {name: 'p', kind: 'persistentVolumeClaim', claim: 'pvc'},
        {name: 'i', kind: 'csi', driver: 'd.example.test'},
        {name: 'e', kind: 'emptyDir'},
        {name: 'n', kind: 'unknown'},
      ],
    },
  ],
]

const containers: readonly [string, object, object][] = [
  [
    'waiting',
    {name: 'c', state: {waiting: {reason: 'ContainerCreating'}}},
    {name: 'c', kind: 'regular', state: 'waiting', reason: 'ContainerCreating'},
  ],
  [
    'running',
    {name: 'c', state: {running: {startedAt: '2026-11-30T02:56:11Z'}}},
    {name: 'c', kind: 'regular', state: 'running', startedAt: 1796007371000},
  ],
  [
    'terminated',
    {name: 'c', state: {terminated: {exitCode: 137, reason: 'OOMKilled', startedAt: null, finishedAt: '2026-11-30T02:56:11Z'}}},
    {name: 'c', kind: 'regular', state: 'terminated', exitCode: 137, reason: 'OOMKilled', finishedAt: 1796007371000},
  ],
  ['without a state', {name: 'c', state: {}}, {name: 'c', kind: 'regular', state: 'unknown'}],
  ['with a state null', {name: 'c', state: {running: null}}, {name: 'c', kind: 'regular', state: 'unknown'}],
  ['with an empty name', {name: '', containerID: 'containerd://f1'}, {name: '', kind: 'regular', state: 'unknown', containerId: 'f1'}],
  ['with an id of no runtime', {name: 'c', containerID: 'f1'}, {name: 'c', kind: 'regular', state: 'unknown', containerId: 'f1'}],
  ['with an empty id', {name: 'c', containerID: 'docker://'}, {name: 'c', kind: 'regular', state: 'unknown'}],
  [
    'with an exit code that is no number',
    {name: 'c', state: {terminated: {exitCode: '0'}}},
    {name: 'c', kind: 'regular', state: 'terminated'},
  ],
]

const noLists: readonly [unknown, string][] = [
  [null, 'it is null'],
  ['<html>', 'it is a string'],
  [[], 'it is an array'],
  [{}, 'it has neither kind nor items'],
  [{kind: 'Pod'}, "its kind is 'Pod'"],
  [{kind: 'EventList', items: []}, "its kind is 'EventList'"],
  [{kind: 'PodList', items: {}}, 'its items are an object'],
  [{kind: 'Status', message: 'Unauthorized', code: 401}, "it is a Status, 'Unauthorized'"],
]

describe('parsePods()', () => {
  test.each(weird)('parsePods() keeps a pod with %s', (_, item, expected) => {
    expect(parsePods(list(item))).toEqual([expected])
  })

  test.each(containers)('parsePods() reads a container %s', (_, status, expected) => {
    expect(parsePods(list(named({}, {status: {containerStatuses: [status]}})))[0]?.containers).toEqual([expected])
  })

  test('parsePods() lists the containers, then the init containers, then the ephemeral ones', () => {
    const status = {initContainerStatuses: [{name: 'i'}], ephemeralContainerStatuses: [{name: 'e'}], containerStatuses: [{name: 'c'}]}
    expect(parsePods(list(named({}, {status})))[0]?.containers.map(({name}) => name)).toEqual(['c', 'i', 'e'])
  })

  test.each([
    [null],
    ['x'],
    [7],
    [[]],
    [{}],
    [{metadata: null}],
    [{metadata: {name: 'a'}}],
    [{metadata: {uid: 'u'}}],
    [{metadata: {name: 1, uid: 2}}],
  ])('parsePods() leaves out %j and keeps the others', (item) => {
    expect(parsePods(list(item, named()))).toEqual([bare])
  })

  test.each([[list()], [{kind: 'PodList', items: null}], [{kind: 'List', items: []}], [{items: null}], [{items: []}]])(
    'parsePods() finds no pods in %j',
    (document) => {
      expect(parsePods(document)).toEqual([])
    },
  )

  test('parsePods() keeps two pods of one name', () => {
    expect(parsePods(list(named(), named({uid: 'u2'}))).map(({uid}) => uid)).toEqual(['u1', 'u2'])
  })

  test.each(noLists)('parsePods() throws one sentence on %j', (document, why) => {
    expect(() => parsePods(document)).toThrow(`Cannot read it as it must be a v1 PodList: ${why}`)
  })

  test('parsePods() never throws on a list, whatever is in it', () => {
    const odd = fc.object({
      key: fc.constantFrom('metadata', 'name', 'uid', 'spec', 'status', 'volumes', 'containerStatuses', 'state', 'terminated', 'csi'),
      maxDepth: 5,
      withNullPrototype: true,
    })
    fc.assert(
      fc.property(fc.array(odd), (items) => void parsePods(list(...items.map((item) => ({metadata: {name: 'a', uid: 'u'}, ...item}))))),
    )
  })
})
