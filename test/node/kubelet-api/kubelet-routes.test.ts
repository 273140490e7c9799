import {X509Certificate} from 'node:crypto'
import {inspect} from 'node:util'
import {beforeAll, describe, expect, test} from 'vitest'
import type {Credentials} from '../../../src/node/api-server/credentials.ts'
import {Secret} from '../../../src/node/secret.ts'
import {type Certificate, selfSigned} from '../../support/certificate.ts'
import {closedPort, fakeServer} from '../../support/fake-kubelet-http.ts'
import {ask, tokenCredentials} from './asking.ts'

const token = 'eyJhbGciOiJSUzI1NiIs-planted-token'
const pods = '{"kind":"PodList","items":[]}'

let serving: Certificate
let client: Certificate
beforeAll(async () => {
  ;[serving, client] = await Promise.all([selfSigned('/CN=n1@1700000000'), selfSigned('/O=system:nodes/CN=system:node:n1')])
})

const fingerprint = () => new Set([new X509Certificate(serving.cert).fingerprint256])
const certified = (): Credentials => ({source: 'a certificate', tls: {verify: true, cert: client.cert, key: new Secret(client.key)}})

describe('readKubelet() on the secure port', () => {
  test('believes a certificate that signed itself, and sends the token', async () => {
    const server = await fakeServer({'/pods': pods}, serving)
    const {readings, how} = await ask({secure: server.port}, {credentials: [tokenCredentials(token)]})
    expect(readings['kubelet.pods']).toEqual({state: 'read', value: []})
    expect(how['kubelet.pods']).toBe(`${server.url}/pods as the test says`)
    expect(server.asked[0]?.authorization).toBe(`Bearer ${token}`)
  })

  test('shows the client certificate', async () => {
    const server = await fakeServer({'/pods': pods}, serving)
    await ask({secure: server.port}, {credentials: [certified()]})
    expect(server.asked[0]?.client).toBe('system:node:n1')
  })

  test("sends nothing to whoever does not show the kubelet's certificate", async () => {
    const [server, other] = [await fakeServer({'/pods': pods}, serving), await fakeServer({'/pods': pods}, client)]
    const credentials = [tokenCredentials(token)]
    const trusted = await ask({secure: server.port}, {credentials, pins: fingerprint()})
    expect(trusted.readings['kubelet.pods']).toEqual({state: 'read', value: []})
    const {readings} = await ask({secure: other.port}, {credentials, pins: fingerprint()})
    expect(readings['kubelet.pods']).toMatchObject({
      state: 'failed',
      why: `https://127.0.0.1:${other.port}/pods: whoever listens there does not show the kubelet's certificate, so nothing was sent`,
    })
    expect(other.asked).toEqual([])
  })

  test.for<[status: number, body: string, why: string]>([
    [401, 'Unauthorized', '401, it does not know who asks'],
    [403, 'Forbidden (user=system:node:n1, verb=get, resource=nodes, subresource=proxy)', '403, system:node:n1 may not get nodes/proxy'],
    [
      403,
      'Forbidden (user=system:anonymous, verb=get, resource=nodes, subresource(s)=[pods proxy])',
      '403, system:anonymous may not get nodes/pods proxy',
    ],
    [403, '<html>', '403, it forbids it'],
  ])('makes of %i %j no dead kubelet, and says what it takes', async ([status, body, why]) => {
    const server = await fakeServer({'/pods': [status, body]}, serving)
    const reading = (await ask({secure: server.port}, {credentials: [certified()]})).readings['kubelet.pods']
    expect(reading).toMatchObject({
      state: 'failed',
      why:
        `not allowed: ${server.url}/pods as a certificate says: ${why}; ${server.url}/pods anonymously: ${why}; ` +
        'it takes credentials (--kubeconfig) of somebody who may get nodes/proxy, or nodes/pods, nodes/metrics and nodes/healthz',
    })
  })

  test('goes on to whoever is let in', async () => {
    const server = await fakeServer(
      {'/pods': (response, {headers}) => (headers.authorization ? response.end(pods) : response.writeHead(403).end())},
      serving,
    )
    const {readings, how} = await ask({secure: server.port}, {credentials: [certified(), tokenCredentials(token)]})
    expect(readings['kubelet.pods'].state).toBe('read')
    expect(how['kubelet.pods']).toContain('as the test says')
  })

  test('goes on to the secure port from a read-only one that lies or lacks it', async () => {
    const page = await fakeServer({'/pods': '<html>'})
    const server = await fakeServer({'/pods': pods, '/runningpods/': pods}, serving)
    const {readings} = await ask({readOnly: page.port, secure: server.port})
    expect([readings['kubelet.pods'].state, readings['kubelet.runningpods'].state]).toEqual(['read', 'read'])
  })

  test('says that a server speaks no TLS, and which certificate is of no use', async () => {
    const server = await fakeServer({})
    expect((await ask({secure: server.port})).readings['kubelet.pods']).toMatchObject({why: expect.stringMatching(/it speaks no TLS$/)})
    const broken = {source: 'x', tls: {verify: true, cert: 'none', key: new Secret('PLANTED')}}
    const secure = await fakeServer({'/pods': pods}, serving)
    expect((await ask({secure: secure.port}, {credentials: [broken]})).readings['kubelet.pods'].state).toBe('read')
  })

  test('never lets a token out again, even where the server sends it back', async () => {
    const echo: Parameters<typeof fakeServer>[0] = {
      '/pods': [500, `you sent Bearer ${token}`],
      '/runningpods/': [403, `Forbidden (user=${token}, verb=get, resource=nodes, subresource=proxy)`],
      '/metrics': `${token} is no metric`,
      '/healthz': [500, token],
    }
    const server = await fakeServer(echo, serving)
    const answers = await ask({secure: server.port}, {credentials: [tokenCredentials(token), certified()]})
    const all = JSON.stringify(answers) + inspect(answers, {depth: 9}) + JSON.stringify(tokenCredentials(token)) + inspect(certified())
    expect(server.asked.some(({authorization}) => authorization?.includes(token))).toBe(true)
    expect(all).not.toContain(token)
    expect(all).not.toContain('PRIVATE KEY')
  })
})

describe('readKubelet() with --kubelet-url', () => {
  test('goes there and nowhere else, below the path of the address', async () => {
    const server = await fakeServer({'/proxy/pods': pods, '/proxy/healthz': 'ok'}, serving)
    const {readings} = await ask({readOnly: await closedPort()}, {url: `${server.url}/proxy`, credentials: [tokenCredentials(token)]})
    expect(readings['kubelet.pods'].state).toBe('read')
    expect(readings['kubelet.healthz'].state).toBe('read')
  })

  test('sends no credentials over http', async () => {
    const server = await fakeServer({'/pods': pods})
    await ask({}, {url: server.url, credentials: [tokenCredentials(token)]})
    expect(server.asked.map(({authorization}) => authorization)).toEqual([undefined, undefined, undefined, undefined])
  })

  test.for([
    ['10250', "it is '10250'"],
    ['ftp://127.0.0.1', "its scheme is 'ftp'"],
    [`https://u:${token}@127.0.0.1`, 'it has a user name'],
  ])('refuses %s', async ([url = '', why]) => {
    await expect(ask({}, {url})).rejects.toThrow(`Cannot use --kubelet-url as it must be a URL such as https://127.0.0.1:10250: ${why}`)
  })
})
