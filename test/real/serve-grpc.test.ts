// serveGrpc() and real clients: grpc-go whose authority is the path of the socket, and crictl.
import {once} from 'node:events'
import {join} from 'node:path'
import {Code, ConnectError, type ConnectRouter} from '@connectrpc/connect'
import {execa} from 'execa'
import {expect, onTestFinished, test} from 'vitest'
import {callTimeout} from '../../src/wire/call-timeout.ts'
import {RuntimeService} from '../../src/wire/gen/cri_pb.ts'
import {serveGrpc} from '../../src/wire/serve-grpc.ts'
import {builtPeers} from '../support/built-peers.ts'
import {tempDir} from '../support/socket-dir.ts'

async function serve(routes: (router: ConnectRouter) => void): Promise<string> {
  const server = await serveGrpc({path: join(tempDir(), 's'), routes, mode: 0o600})
  onTestFinished(() => server[Symbol.asyncDispose]())
  return server.path
}

async function call(path: string, calls: readonly object[]) {
  const [oracle = ''] = await builtPeers('http2-oracle')
  const {stdout} = await execa(oracle, ['call', path], {input: calls.map((one) => JSON.stringify(one)).join('\n')})
  return stdout.split('\n').map((line) => JSON.parse(line))
}

const asked = (method: string, more = {}) => ({path: `/runtime.v1.RuntimeService/${method}`, fields: {}, body: [''], ...more})

test('serveGrpc() answers crictl version', async () => {
  const path = await serve((router) =>
    router.service(RuntimeService, {
      version: () => ({version: '0.1.0', runtimeName: 'limbo', runtimeVersion: '7.8', runtimeApiVersion: 'v1'}),
    }),
  )
  const [crictl = ''] = await builtPeers('crictl')
  const {stdout} = await execa(crictl, ['-r', `unix://${path}`, '-t', '10s', 'version'])
  expect(stdout).toContain('RuntimeName:  limbo')
})

test('serveGrpc() is understood by grpc-go: statuses, words, messages, deadlines', async () => {
  const timeouts: (number | undefined)[] = []
  const gaveUp: unknown[] = []
  const path = await serve((router) =>
    router.service(RuntimeService, {
      version: () => ({version: '0.1.0'}),
      listPodSandbox: () => {
        throw new ConnectError('no 100% of “it”', Code.FailedPrecondition)
      },
      async *streamContainers() {
        for (const id of ['a', 'b']) yield {containers: [{id}]}
        throw new ConnectError('over', Code.Aborted)
      },
      status: async (_, {values, signal}) => {
        timeouts.push(values.get(callTimeout))
        await once(signal, 'abort')
        gaveUp.push(signal.reason)
        return {}
      },
    }),
  )
  const answers = await call(path, [
    asked('Version'),
    asked('ListPodSandbox'),
    asked('StreamContainers'),
    asked('Nothing'),
    {path: '/a.B/C', fields: {}, body: ['']},
    asked('ListContainers'),
    asked('Status', {timeoutMs: 300}),
  ])
  expect(answers.map(({code, message, body}) => [code, message, body?.length ?? 0])).toEqual([
    ['OK', undefined, 1],
    ['FailedPrecondition', 'no 100% of “it”', 0],
    ['Aborted', 'over', 2],
    ['Unimplemented', 'unknown method Nothing for service runtime.v1.RuntimeService', 0],
    ['Unimplemented', 'unknown service a.B', 0],
    ['Unimplemented', 'runtime.v1.RuntimeService.ListContainers is not implemented', 0],
    ['DeadlineExceeded', expect.any(String), 0],
  ])
  expect(timeouts).toHaveLength(1)
  expect(timeouts[0]).toBeGreaterThan(100)
  expect(timeouts[0]).toBeLessThanOrEqual(300)
  expect(gaveUp).toEqual([expect.objectContaining({code: Code.Canceled})])
})

test('serveGrpc() takes 16 MiB from grpc-go, and 300 calls at once', async () => {
  const sizes: number[] = []
  const path = await serve((router) =>
    router.service(RuntimeService, {
      version: () => ({version: '0.1.0'}),
      containerStatus: ({containerId}) => {
        sizes.push(containerId.length)
        return {}
      },
    }),
  )
  const size = 16 * 1024 * 1024 - 16
  const head = Buffer.of(
    0x0a,
    (size % 128) | 128,
    (Math.floor(size / 128) % 128) | 128,
    (Math.floor(size / 128 ** 2) % 128) | 128,
    Math.floor(size / 128 ** 3),
  )
  const large = Buffer.concat([head, Buffer.alloc(size, 'x')]).toString('base64')
  const answers = await call(path, [asked('ContainerStatus', {body: [large]}), ...Array.from({length: 300}, () => asked('Version'))])
  expect(answers.map(({code}) => code)).toEqual(Array(301).fill('OK'))
  expect(sizes).toEqual([size])
})
