import {create} from '@bufbuild/protobuf'
import {describe, expect, test} from 'vitest'
import {UserError} from '../../../src/base/errors.ts'
import type {ClaimAnswers} from '../../../src/node/api-server/read-claim.ts'
import {absent, failed, read} from '../../../src/node/reading.ts'
import type {Sources} from '../../../src/node/snapshot.ts'
import {findTarget} from '../../../src/proxy/recipes/aim/find-target.ts'
import type {Asked} from '../../../src/proxy/recipes/asked.ts'
import type {Facts} from '../../../src/proxy/recipes/facts.ts'
import {findRecipe} from '../../../src/proxy/recipes/find-recipe.ts'
import {ContainerSchema, ContainerState} from '../../../src/wire/gen/cri_pb.ts'
import {snapshotOf, waitingPod} from '../../support/snapshot-builder.ts'

const csi = (driver: string, volumeHandle: string, specVolID: string) => ({
  driverName: driver,
  volumeHandle,
  specVolID,
  volumeLifecycleMode: 'Persistent',
})
const inPod = (uid: string, volume: string) => `pods/${uid}/volumes/kubernetes.io~csi/${volume}/vol_data.json`

const drivers: Partial<Sources> = {
  'csi.registrations': [],
  'csi.drivers': [
    {socket: '/csi/a.sock', answer: {state: 'answers'}, name: 'a.example'},
    {socket: '/csi/b.sock', answer: {state: 'silent', why: 'no answer within 2000 ms'}, name: 'b.example'},
  ],
}

/** web-0 has two claims, db-0 the second of them. */
function nodeOf(pods = [waitingPod('web-0', 'u1', ['data', 'logs']), waitingPod('db-0', 'u2', ['logs'])], more: Partial<Sources> = {}) {
  return snapshotOf({
    version: '1.26.5',
    sources: {...drivers, 'kubelet.pods': pods, ...more},
    files: ['pods/'],
    volData: {
      [inPod('u1', 'pv-data')]: csi('a.example', 'vol-data', 'pv-data'),
      [inPod('u1', 'pv-logs')]: csi('b.example', 'vol-logs', 'pv-logs'),
      [inPod('u2', 'pv-logs')]: csi('b.example', 'vol-logs', 'pv-logs'),
    },
  })
}

const aim = (recipe: string, asked: Asked, facts: Partial<Facts> = {}) =>
  findTarget(findRecipe(recipe), asked, {
    snapshot: nodeOf(),
    runtime: {endpoint: 'unix:///run/cri.sock', source: '--runtime-endpoint'},
    ...facts,
  })

const nowhere = 'not in this test; not in this test'

const bound: ClaimAnswers = {
  claim: read({namespace: 'default', name: 'data', phase: 'Bound', volume: 'pv-1', mode: 'block'}),
  volume: read({name: 'pv-1', kind: 'csi', driver: 'a.example', handle: 'vol-1', mode: 'block'}),
  missing: false,
}

describe('findTarget() of a claim', () => {
  test('believes the API server before the node', () => {
    expect(aim('stage-hang', {pvc: 'data'}, {claim: bound})).toMatchObject({
      narrowing: {request: {volumeId: 'vol-1'}},
      upstream: '/csi/a.sock',
      mode: 'block',
      names: {claim: 'default/data', pod: 'default/web-0', node: 'n1'},
      words: [
        'The claim default/data is bound to pv-1, a raw block volume of the driver a.example with the handle vol-1: so says the API server.',
        'default/web-0 uses it here.',
        expect.stringMatching(/^The driver a\.example listens on \/csi\/a\.sock/),
      ],
    })
  })

  test('finds a claim of the API server that no pod uses here', () => {
    const {words, names} = aim('stage-hang', {pvc: 'data'}, {claim: bound, snapshot: nodeOf([])})
    expect(words[1]).toBe('No pod of this node uses it now.')
    expect(names).not.toHaveProperty('pod')
  })

  const volumeDir = 'pods/u9/volumes/kubernetes.io~csi/pv-1/'
  const cut = nodeOf([])
  test.each([
    [
      'nobody told of pods',
      snapshotOf({sources: drivers}),
      `Which pods of this node use it is not known (${nowhere}), nor which have a directory for it (not in this test).`,
    ],
    [
      'nothing but directories could be read',
      snapshotOf({sources: drivers, files: ['pods/']}),
      `Which pods of this node use it is not known (${nowhere}); none has a directory for it here.`,
    ],
    [
      'a directory has its volume',
      snapshotOf({sources: drivers, files: [volumeDir]}),
      `Which pods of this node use it is not known (${nowhere}); the pod with the uid u9 has a directory for it here.`,
    ],
    [
      'a pod is gone from the lists',
      snapshotOf({sources: {...drivers, 'kubelet.pods': []}, files: [volumeDir]}),
      'No pod of this node that is listed uses it; the pod with the uid u9 has a directory for it here.',
    ],
    [
      'the API server lists a pod',
      snapshotOf({sources: {...drivers, 'api.pods': [waitingPod('web-0', 'u1', ['data'], {nodeName: 'n1'})]}}),
      'default/web-0 uses it here.',
    ],
    ['the API server lists none', snapshotOf({sources: {...drivers, 'api.pods': []}}), 'No pod of this node uses it now.'],
    [
      'the list broke off',
      {...cut, readings: {...cut.readings, 'kubelet.pods': read([], 'it broke off')}},
      'Which pods of this node use it is not known (it broke off; not in this test); none has a directory for it here.',
    ],
  ])('says who uses it, and never that nobody does where that is not known: %s', (_, snapshot, said) => {
    expect(aim('stage-hang', {pvc: 'data'}, {claim: bound, snapshot}).words[1]).toBe(said)
  })

  test('says which claims there are, or that it is not known', () => {
    const missing: ClaimAnswers = {claim: absent('none'), volume: absent('none'), missing: true}
    const hint = (snapshot: Facts['snapshot']) =>
      (thrownBy(() => aim('stage-hang', {pvc: 'nope'}, {claim: missing, snapshot})) as UserError).hint
    expect(hint(snapshotOf({sources: drivers}))).toBe(`the claims of this node's pods are not known: ${nowhere}`)
    const names = Array.from({length: 12}, (_, index) => `c${String(index).padStart(2, '0')}`)
    expect(hint(nodeOf([waitingPod('web-0', 'u1', names)]))).toBe(
      `there are ${names
        .slice(0, 10)
        .map((name) => `default/${name}`)
        .join(', ')} and 2 more`,
    )
  })

  test('tells the volumes of a pod apart by those of pods that have one claim, and says why the API server does not', () => {
    const denied: ClaimAnswers = {claim: failed('not allowed: 403'), volume: absent('its claim is not known'), missing: false}
    const {narrowing, words, upstream} = aim('stage-hang', {pvc: 'default/data'}, {claim: denied})
    expect(narrowing).toEqual({request: {volumeId: 'vol-data'}})
    expect(upstream).toBe('/csi/a.sock')
    expect(words[1]).toBe('The API server does not say it: not allowed: 403.')
    expect(aim('stage-hang', {pvc: 'logs'}).narrowing).toEqual({request: {volumeId: 'vol-logs'}})
  })

  test('says that its driver does not answer', () => {
    expect(aim('stage-hang', {pvc: 'logs'}).words.at(-1)).toBe(
      'The driver b.example listens on /csi/b.sock, and does not answer there now: no answer within 2000 ms.',
    )
  })

  test('says that a rule about staging is in vain where the driver does not stage', () => {
    const plain = nodeOf(undefined, {
      'csi.drivers': [{socket: '/csi/a.sock', answer: {state: 'answers'}, name: 'a.example', capabilities: ['GET_VOLUME_STATS']}],
    })
    const vain = /^It does not stage volumes .*: the rule will take nothing\.$/
    expect(aim('stage-lost', {pvc: 'data'}, {snapshot: plain}).words.at(-1)).toMatch(vain)
    expect(aim('unstage-hang', {driver: 'a.example'}, {snapshot: plain}).words[1]).toMatch(vain)
    expect(aim('publish-lost', {pvc: 'data'}, {snapshot: plain}).words.at(-1)).not.toMatch(vain)
  })

  test('adds what else the request must have', () => {
    expect(aim('publish-lost', {pvc: 'logs', request: {readonly: true}}).narrowing).toEqual({
      request: {volumeId: 'vol-logs', readonly: true},
    })
  })
})

describe('findTarget() that cannot tell', () => {
  const alone = nodeOf([waitingPod('web-0', 'u1', ['data', 'logs'])])
  const missing: ClaimAnswers = {claim: absent('none'), volume: absent('none'), missing: true}
  const pending: ClaimAnswers = {
    claim: read({namespace: 'default', name: 'data', phase: 'Pending', mode: 'filesystem'}),
    volume: absent('not bound'),
    missing: false,
  }
  const nfs: ClaimAnswers = {claim: bound.claim, volume: read({name: 'pv-1', kind: 'nfs', mode: 'filesystem'}), missing: false}
  const nobody = snapshotOf({version: '1.26.5', sources: drivers})
  const unread = snapshotOf({sources: {...drivers, 'kubelet.pods': [waitingPod('web-0', 'u1', ['data'])]}})
  const twice = nodeOf(undefined, {
    'csi.drivers': ['/csi/1.sock', '/csi/2.sock'].map((socket) => ({socket, answer: {state: 'answers' as const}, name: 'a.example'})),
  })

  test.each<[string, string, Asked, Partial<Facts>, string, string]>([
    [
      'which of two volumes it is',
      'stage-hang',
      {pvc: 'data'},
      {snapshot: alone},
      'Cannot tell which volume is that of default/data as default/web-0 must have one: it may be pv-data (a.example, vol-data) or pv-logs (b.example, vol-logs)',
      'name it: --driver a.example --request volumeId=vol-data; or --kubeconfig of somebody who may read claims',
    ],
    [
      'a claim that no pod uses',
      'stage-hang',
      {pvc: 'prod/other'},
      {},
      'Cannot find the claim as a pod of this node must use it: prod/other is used by none',
      'there are default/data, default/logs; with --kubeconfig of somebody who may read claims it is found before a pod uses it',
    ],
    [
      'a claim without pods to ask about',
      'stage-hang',
      {pvc: 'data'},
      {snapshot: nobody},
      'Cannot find the claim default/data as pods of this node must be known: not in this test; not in this test',
      '--kubeconfig of somebody who may read claims, or --driver NAME --request volumeId=HANDLE',
    ],
    [
      'a claim without directories',
      'stage-hang',
      {pvc: 'data'},
      {snapshot: unread},
      'Cannot find the claim default/data as its volume must be known: not in this test; not in this test',
      '--kubeconfig of somebody who may read claims, or --driver NAME --request volumeId=HANDLE',
    ],
    [
      'a claim that the API server does not have',
      'stage-hang',
      {pvc: 'data'},
      {claim: missing},
      'Cannot aim at the claim default/data as there must be one: the API server has none',
      'there are default/data, default/logs',
    ],
    [
      'a claim that is not bound',
      'stage-hang',
      {pvc: 'data'},
      {claim: pending},
      'Cannot aim at the claim default/data as it must be bound to a volume: it is Pending',
      '--driver NAME without --pvc aims at all volumes of a driver',
    ],
    [
      'a claim of another kind of volume',
      'stage-hang',
      {pvc: 'data'},
      {claim: nfs},
      "Cannot aim at the claim default/data as its volume must be a CSI driver's: pv-1 is of the kind nfs",
      '',
    ],
    [
      'a driver that is not here',
      'driver-gone',
      {driver: 'c.example'},
      {},
      "Cannot find the driver as it must be one of this node: it is 'c.example'",
      'there are a.example, b.example',
    ],
    [
      'a driver of which nobody says where it listens',
      'driver-gone',
      {driver: 'c.example'},
      {snapshot: snapshotOf({})},
      'Cannot find the driver c.example as its socket must be known: not in this test',
      '--socket unix:///PATH/csi.sock names it',
    ],
    [
      'which of two sockets it is',
      'driver-gone',
      {driver: 'a.example'},
      {snapshot: twice},
      'Cannot tell which socket is that of a.example as it must have one: it has /csi/1.sock and /csi/2.sock',
      'name it: --upstream unix:///csi/1.sock',
    ],
    [
      'another driver than the claim has',
      'stage-hang',
      {pvc: 'logs', driver: 'a.example'},
      {},
      "Cannot aim at default/logs as its driver must be b.example: --driver is 'a.example'",
      '',
    ],
    [
      'a claim with nothing said',
      'stage-hang',
      {},
      {},
      'Cannot inject stage-hang as --pvc or --driver must be given: it is not',
      '`kubelimbo drivers` lists them, and `kubelimbo volumes` their volumes',
    ],
    [
      'a pod that is not here',
      'stop-sandbox-lost',
      {pod: 'web-1'},
      {},
      'Cannot find the pod as it must be on this node: default/web-1 is not',
      'there are default/web-0, default/db-0',
    ],
    [
      'a pod with nothing said',
      'stop-sandbox-lost',
      {},
      {},
      'Cannot inject stop-sandbox-lost as --pod must be given: it is not',
      '`kubelimbo pods` lists those of this node',
    ],
    [
      'a pod whose name is none',
      'stop-sandbox-lost',
      {pod: 'a/b/c'},
      {},
      "Cannot use --pod as it must be NAMESPACE/NAME, or a name in the namespace default: it is 'a/b/c'",
      '',
    ],
    [
      'a container with nothing said',
      'runtime-slow',
      {},
      {},
      'Cannot inject runtime-slow as CONTAINER must be given: it is not',
      '`kubelimbo ps` lists those of this node',
    ],
    [
      'a runtime that nobody looked for',
      'runtime-hang',
      {},
      {runtime: undefined as never},
      'Cannot find the container runtime as its socket must be known: it was not looked for',
      '--socket unix:///run/containerd/containerd.sock names it',
    ],
    [
      'what the recipe does not aim at',
      'runtime-hang',
      {pvc: 'data'},
      {},
      'Cannot use --pvc with runtime-hang as it aims at the container runtime: it takes --request',
      '',
    ],
  ])('says so of %s', (_, recipe, asked, facts, message, hint) => {
    const error = thrownBy(() => aim(recipe, asked, facts))
    expect(error).toBeInstanceOf(UserError)
    expect({message: (error as UserError).message, hint: (error as UserError).hint ?? ''}).toEqual({message, hint})
  })
})

describe('findTarget() of a container', () => {
  const container = (id: string, pod: string, name: string, attempt: number, state: ContainerState) =>
    create(ContainerSchema, {
      id,
      state,
      metadata: {name, attempt},
      labels: {'io.kubernetes.pod.namespace': 'default', 'io.kubernetes.pod.name': pod},
    })
  const {CONTAINER_RUNNING: running, CONTAINER_EXITED: exited} = ContainerState
  const many = Array.from({length: 12}, (_, index) => container(`ee${index}`, `job-${index}`, `c${index}`, 0, running))
  const snapshot = snapshotOf({
    sources: {
      'runtime.containers': [
        container('aaaa1111', 'web-0', 'main', 1, exited),
        container('bbbb2222', 'web-0', 'main', 0, running),
        container('cccc3333', 'web-1', 'main', 0, exited),
        container('cccc4444', 'web-1', 'main', 1, exited),
        ...many,
      ],
    },
  })

  test.each<[Asked, string]>([
    [{container: 'main', pod: 'web-0'}, 'bbbb2222'],
    [{container: 'main', pod: 'web-1'}, 'cccc4444'],
    [{container: 'cccc3'}, 'cccc3333'],
  ])('of %o is that which runs, else the newest', (asked, id) => {
    expect(aim('runtime-slow', asked, {snapshot}).narrowing).toEqual({request: {containerId: id}})
  })

  test.each<[Asked, Partial<Facts>, string, string]>([
    [
      {container: 'main'},
      {snapshot},
      "Cannot tell which container is meant as there must be one 'main': there are main (bbbb2222) of default/web-0 and main (cccc4444) of default/web-1",
      'name its id, or its pod with --pod default/web-0',
    ],
    [
      {container: 'none'},
      {snapshot},
      "Cannot find the container as it must be one of this node: there is no 'none'",
      `there are ${['main (bbbb2222) of default/web-0', ...many.slice(0, 9).map(({id}, index) => `c${index} (${id}) of default/job-${index}`)].join(', ')} and 3 more`,
    ],
    [
      {container: 'main', pod: 'gone'},
      {snapshot},
      "Cannot find the container as it must be one of default/gone: there is no 'main'",
      'there are no containers here',
    ],
    [{container: 'main'}, {}, "Cannot find the container 'main' as those of the container runtime must be known: not in this test", ''],
  ])('of %o cannot be told', (asked, facts, message, hint) => {
    const error = thrownBy(() => aim('exit-unknown', asked, facts))
    expect({message: (error as UserError).message, hint: (error as UserError).hint ?? ''}).toEqual({message, hint})
  })
})

function thrownBy(action: () => unknown): unknown {
  try {
    action()
  } catch (error) {
    return error
  }
  return undefined
}
