// What a socket may answer, or not answer, and what readCsi() calls it.
import {symlinkSync, writeFileSync} from 'node:fs'
import {Code, ConnectError} from '@connectrpc/connect'
import {describe, expect, test} from 'vitest'
import {answerOf} from '../../../src/node/csi/answer.ts'
import {RpcFailure} from '../../../src/wire/rpc-failure.ts'
import {fakeDriver, fakeRegistration, otherService} from '../../support/fake-driver.ts'
import {csi, end, kubeletRoot, registered, registry, socketsAt, staleSocket} from '../../support/fake-driver-node.ts'
import {makeFifo} from '../../support/fifo.ts'
import {closingServer, garbageServer, http1Server, pageServer, silentServer} from '../../support/listening.ts'

describe('readCsi()', () => {
  test.for<[string, string, RegExp]>([
    ['a relative path', 'csi.sock', /^the path of a socket must be absolute: it is 'csi.sock'$/],
    ['an address of TCP', 'tcp://127.0.0.1:1', /must be absolute: it is 'tcp:/],
    ['a path of Windows', 'C:\\csi\\csi.sock', /must be absolute/],
    ['a NUL', '/run/\0/csi.sock', /must have no NUL/],
    ['an abstract name that is too long', `@${'ä'.repeat(54)}`, /at most 107 bytes: it has 108$/],
  ])('does not dial %s as an endpoint, and says why', async ([, endpoint, why]) => {
    const node = kubeletRoot()
    await using _one = await fakeRegistration({path: node.place(registry), endpoint})
    const {registrations, drivers} = await socketsAt(node.root)
    expect(registrations).toMatchObject([{endpoint}])
    expect(drivers).toEqual([{socket: endpoint, answer: {state: 'failed', why: expect.stringMatching(why)}}])
  })

  test('reports an endpoint that does not exist as missing', async () => {
    const node = kubeletRoot()
    await using _one = await fakeRegistration({path: node.place(registry), endpoint: '/nowhere/csi.sock'})
    expect((await socketsAt(node.root)).drivers).toEqual([
      {socket: '/nowhere/csi.sock', answer: {state: 'missing', why: 'there is no socket /nowhere/csi.sock'}},
    ])
  })

  const states: [string, (path: string) => Promise<AsyncDisposable>, {readonly state: string; readonly why: RegExp}][] = [
    ['nobody listening', staleSocket, {state: 'refused', why: /^nobody listens on /}],
    ['silence', silentServer, {state: 'silent', why: /takes connections but has said nothing/}],
    ['garbage', garbageServer, {state: 'not-grpc', why: /does not speak gRPC$/}],
    ['HTTP/1.1', http1Server, {state: 'not-grpc', why: /does not speak gRPC$/}],
    ['web pages', pageServer, {state: 'not-grpc', why: /something other than gRPC/}],
    ['a connection that is closed', closingServer, {state: 'not-grpc', why: /closed the connection at once$/}],
    ['another service', otherService, {state: 'other-service', why: /does not implement Get(Plugin)?Info/}],
  ]

  test.for(states)('tells of %s on either kind of socket', async ([, serve, {state, why}]) => {
    const node = kubeletRoot()
    await using _one = await serve(node.place(registry))
    await using _other = await serve(node.place(csi))
    const {registrations, drivers} = await socketsAt(node.root, {deadlineMs: 1500})
    const answer = {state, why: expect.stringMatching(why), ...(state === 'silent' && {waitedMs: 300})}
    expect(registrations).toEqual([{socket: node.place(registry), answer}])
    expect(drivers).toEqual([{socket: node.place(csi), answer}])
  })

  test.for<[string, (path: string) => void, RegExp]>([
    ['a regular file', (path) => writeFileSync(path, ''), /is a regular file, not a socket$/],
    ['a FIFO', makeFifo, /is a FIFO, not a socket$/],
    ['a link to a directory', (path) => symlinkSync('/', path), /is a directory, not a socket$/],
  ])('tells of %s that is named like a socket', async ([, make, why]) => {
    const node = kubeletRoot()
    for (const path of [registry, csi]) make(node.place(path))
    const answer = {state: 'not-socket', why: expect.stringMatching(why)}
    expect(await socketsAt(node.root)).toEqual({
      registrations: [{socket: node.place(registry), answer}],
      drivers: [{socket: node.place(csi), answer}],
    })
  })

  test('tells of links that lead nowhere or in a circle', async () => {
    const node = kubeletRoot()
    symlinkSync('nowhere', node.place('plugins_registry/a.sock'))
    symlinkSync('b.sock', node.place('plugins_registry/b.sock'))
    expect((await socketsAt(node.root)).registrations).toMatchObject([
      {socket: node.place('plugins_registry/a.sock'), answer: {state: 'missing'}},
      {socket: node.place('plugins_registry/b.sock'), answer: {state: 'failed', why: expect.stringMatching(/ELOOP/)}},
    ])
  })

  test('tells of a driver that takes calls and does not answer', async () => {
    const node = kubeletRoot()
    const {driver, registration} = await registered(node, {hangs: ['GetPluginInfo']})
    const {registrations, drivers} = await socketsAt(node.root, {deadlineMs: 1500})
    expect(registrations[0]?.answer).toEqual({state: 'answers'})
    expect(drivers).toEqual([
      {socket: node.place(csi), answer: {state: 'silent', why: expect.stringMatching(/^it has not answered GetPluginInfo/), waitedMs: 300}},
    ])
    await end(driver, registration)
  })

  test('keeps what a driver has said when it does not say the rest', async () => {
    const node = kubeletRoot()
    const {driver, registration} = await registered(node, {
      hangs: ['NodeGetInfo'],
      fails: {NodeGetCapabilities: new ConnectError('no backend', Code.Internal)},
    })
    expect((await socketsAt(node.root, {deadlineMs: 1500})).drivers).toEqual([
      {
        socket: node.place(csi),
        answer: {
          state: 'failed',
          why: 'it answered GetPluginInfo, but it answered NodeGetCapabilities with INTERNAL: no backend',
        },
        name: 'fake.csi.example.com',
        version: '1.2.3',
      },
    ])
    await end(driver, registration)
  })

  test('takes a driver that does not answer Probe for one that hangs, and keeps its name', async () => {
    const node = kubeletRoot()
    const {driver, registration} = await registered(node, {hangs: ['Probe']})
    expect((await socketsAt(node.root, {deadlineMs: 1500})).drivers).toMatchObject([
      {
        answer: {state: 'silent', why: expect.stringMatching(/^it answered GetPluginInfo, but it has not answered Probe/)},
        name: 'fake.csi.example.com',
      },
    ])
    await end(driver, registration)
  })

  test('takes a driver that is not ready for alive', async () => {
    const node = kubeletRoot()
    const {driver, registration} = await registered(node, {ready: false})
    await using _other = await fakeDriver({
      path: node.place('plugins/other/csi.sock'),
      fails: {Probe: new ConnectError('still mounting', Code.FailedPrecondition)},
    })
    expect((await socketsAt(node.root)).drivers).toMatchObject([
      {answer: {state: 'answers'}, ready: false},
      {answer: {state: 'answers'}, ready: false},
    ])
    await end(driver, registration)
  })

  test('takes a controller, which has no node service, for a driver without capabilities', async () => {
    const node = kubeletRoot()
    await using _driver = await fakeDriver({path: node.place(csi), services: ['identity'], ready: true})
    expect((await socketsAt(node.root)).drivers).toEqual([
      {socket: node.place(csi), answer: {state: 'answers'}, name: 'fake.csi.example.com', version: '1.2.3', ready: true},
    ])
  })

  test('passes on a name that no driver may have, and two names that contradict each other', async () => {
    const node = kubeletRoot()
    const name = `Über_${'X'.repeat(80)}`
    const {driver, registration} = await registered(node, {name})
    const {registrations, drivers} = await socketsAt(node.root)
    expect([registrations[0]?.name, drivers[0]?.name]).toEqual(['fake.csi.example.com', name])
    await end(driver, registration)
  })
})

test('answerOf() calls a socket that the user may not open denied', () => {
  expect(answerOf(new RpcFailure('PERMISSION_DENIED', 'forbidden', 'this user may not open /x'), 500)).toEqual({
    state: 'denied',
    why: 'this user may not open /x',
  })
})
