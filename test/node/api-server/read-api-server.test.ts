import {beforeAll, describe, expect, test} from 'vitest'
import {systemClock} from '../../../src/base/clock.ts'
import type {Credentials} from '../../../src/node/api-server/credentials.ts'
import {readApiServer} from '../../../src/node/api-server/read-api-server.ts'
import {Secret} from '../../../src/node/secret.ts'
import {type Certificate, selfSigned} from '../../support/certificate.ts'
import {type Answer, closedPort, type FakeServer, fakeServer} from '../../support/fake-kubelet-http.ts'

let serving: Certificate
beforeAll(async () => {
  serving = await selfSigned('/CN=kube-apiserver')
})

const token = 'planted-token'

interface Asked extends Partial<Credentials> {
  readonly node?: string
  readonly keepReplies?: boolean
}

function ask(server: Pick<FakeServer, 'url'>, {node = 'n1', keepReplies = false, ...more}: Asked = {}) {
  const credentials = {
    source: 'the test',
    server: new URL(server.url),
    tls: {verify: true, ca: serving.cert},
    token: new Secret(token),
    ...more,
  }
  return readApiServer({
    credentials: [credentials],
    node,
    clock: systemClock,
    signal: new AbortController().signal,
    deadlineMs: 20_000,
    keepReplies,
  })
}

const event = (uid: string, host?: string) => ({
  involvedObject: {kind: 'Pod', namespace: 'default', name: 'web', uid},
  reason: 'FailedMount',
  message: 'm',
  type: 'Warning',
  ...(host && {source: {component: 'kubelet', host}}),
})

const answers: Readonly<Record<string, Answer>> = {
  '/api/v1/pods': JSON.stringify({kind: 'PodList', items: [{metadata: {name: 'web', namespace: 'default', uid: 'u1'}}]}),
  '/api/v1/events': JSON.stringify({
    kind: 'EventList',
    metadata: {},
    items: [event('u1'), event('u2'), event('u3', 'n1'), event('u4', 'n2')],
  }),
  '/api/v1/nodes/n1': JSON.stringify({
    kind: 'Node',
    metadata: {name: 'n1'},
    status: {
      volumesInUse: ['kubernetes.io/csi/d^h'],
      volumesAttached: [{name: 'kubernetes.io/csi/d^h', devicePath: ''}, {}],
      nodeInfo: {kubeletVersion: 'v1.26.5'},
    },
  }),
}

describe('readApiServer()', () => {
  test("reads this node's pods, events and node in three GETs", async () => {
    const server = await fakeServer(answers, serving)
    const {readings, how} = await ask(server)
    expect(readings['api.pods']).toMatchObject({state: 'read', value: [{name: 'web', uid: 'u1'}]})
    expect(readings['api.events']).toMatchObject({state: 'read', value: [{uid: 'u1'}, {uid: 'u3'}]})
    expect(readings['api.node']).toEqual({
      state: 'read',
      value: {
        name: 'n1',
        volumesInUse: ['kubernetes.io/csi/d^h'],
        volumesAttached: ['kubernetes.io/csi/d^h'],
        kubeletVersion: 'v1.26.5',
      },
    })
    expect(how['api.node']).toBe(`${server.url}/api/v1/nodes/n1 as the test says`)
    expect(server.asked.map(({method, url, authorization}) => `${method} ${url} ${authorization}`).toSorted()).toEqual([
      `GET /api/v1/events?fieldSelector=involvedObject.kind%3DPod&limit=5000 Bearer ${token}`,
      `GET /api/v1/nodes/n1 Bearer ${token}`,
      `GET /api/v1/pods?fieldSelector=spec.nodeName%3Dn1&resourceVersion=0 Bearer ${token}`,
    ])
  })

  test("keeps the replies for a bundle, and of the events this node's only", async () => {
    const server = await fakeServer(answers, serving)
    const {readings} = await ask(server, {keepReplies: true})
    expect(readings['api.pods']).toMatchObject({raw: answers['/api/v1/pods']})
    const events = readings['api.events']
    expect(events.state === 'read' && JSON.parse(events.raw ?? '').items).toEqual([event('u1'), event('u3', 'n1')])
  })

  test('says that there are more events than it read', async () => {
    const server = await fakeServer({...answers, '/api/v1/events': '{"kind":"EventList","metadata":{"continue":"x"},"items":[]}'}, serving)
    expect((await ask(server)).readings['api.events']).toEqual({
      state: 'read',
      value: [],
      incomplete: 'the cluster has more than 5000 events, and these are of the first',
    })
  })

  test("takes forbidden events for the kubelet's lot, and forbidden pods for a failure", async () => {
    const forbidden = (what: string): Answer => [
      403,
      JSON.stringify({
        kind: 'Status',
        message: `${what} is forbidden: User "system:node:n1" cannot list resource "${what}" in API group ""`,
      }),
    ]
    const server = await fakeServer({...answers, '/api/v1/events': forbidden('events'), '/api/v1/pods': forbidden('pods')}, serving)
    const {readings} = await ask(server)
    expect(readings['api.events']).toEqual({
      state: 'absent',
      why: `not allowed: ${server.url}/api/v1/events as the test says: 403, system:node:n1 may not list events; the kubelet's own identity may never list events`,
    })
    expect(readings['api.pods']).toMatchObject({
      state: 'failed',
      why: expect.stringContaining('403, system:node:n1 may not list pods; it takes credentials'),
    })
  })

  test('sends no token to a server that it cannot be sure of', async () => {
    const other = await selfSigned('/CN=other')
    const server = await fakeServer(answers, other)
    const {readings} = await ask(server)
    expect(readings['api.pods']).toMatchObject({
      state: 'failed',
      why: expect.stringContaining('no agreement on TLS (DEPTH_ZERO_SELF_SIGNED_CERT)'),
    })
    expect(server.asked).toEqual([])
    expect((await ask(server, {tls: {verify: false}})).readings['api.pods'].state).toBe('read')
  })

  test('shows an open server the password of its address, and no token', async () => {
    const server = await fakeServer({...answers, '/api/v1/events': [403, `${token} planted-password`]})
    const {readings} = await ask(server, {login: {user: 'lab', password: new Secret('planted-password')}})
    expect(readings['api.pods'].state).toBe('read')
    expect(new Set(server.asked.map(({authorization}) => authorization))).toEqual(new Set([`Basic ${btoa('lab:planted-password')}`]))
    expect(JSON.stringify(readings)).not.toContain('planted-password')
  })

  test('holds the certificate to the server name that the kubeconfig says', async () => {
    const server = await fakeServer(answers, serving)
    const {readings} = await ask(server, {tls: {verify: true, ca: serving.cert, serverName: 'elsewhere.example'}})
    expect(readings['api.pods']).toMatchObject({why: expect.stringContaining('its certificate is for another name')})
  })

  test('is absent without credentials or a name, and failed without a server', async () => {
    const port = await closedPort()
    const work = {clock: systemClock, signal: new AbortController().signal, deadlineMs: 20_000}
    const {readings} = await readApiServer({credentials: [{source: 'x', tls: {verify: true}}], node: 'n1', ...work})
    expect(readings['api.pods']).toEqual({state: 'absent', why: 'there are no credentials for the API server'})
    expect((await ask({url: 'https://127.0.0.1:1'}, {node: ''})).readings['api.node']).toEqual({
      state: 'absent',
      why: "the node's name is not known",
    })
    expect((await ask({url: `https://127.0.0.1:${port}`})).readings['api.pods']).toMatchObject({
      state: 'failed',
      why: `nothing listens at 127.0.0.1:${port} (connection refused)`,
    })
  })

  test.for<[what: string, answer: Answer, why: string]>([
    ['a page', '<html>', 'it is HTML or XML'],
    ['a Status', '{"kind":"Status","metadata":{"name":"n1"}}', 'must be a v1 Node with a name: it is none'],
    ['an array', '[]', 'must be a v1 Node with a name: it is none'],
    ['an echo', [500, token], "it answers 500, '[secret]'"],
  ])('makes of %s in place of a node a failure', async ([, answer, why]) => {
    const server = await fakeServer({...answers, '/api/v1/nodes/n1': answer}, serving)
    expect((await ask(server)).readings['api.node']).toMatchObject({state: 'failed', why: expect.stringContaining(why)})
  })
})
