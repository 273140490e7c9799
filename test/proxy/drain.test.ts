// The end of a proxy that clients do not notice, on sockets.
import {connect} from 'node:net'
import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {systemClock} from '../../src/base/clock.ts'
import {parseRules} from '../../src/faults/file/read-rules.ts'
import {openConnection} from '../../src/http2/client-connection.ts'
import {errorCodes} from '../../src/http2/fault.ts'
import {fieldValue} from '../../src/http2/header-field.ts'
import {type ServerStream, serveConnection} from '../../src/http2/server-connection.ts'
import {serveProxy} from '../../src/proxy/serve-proxy.ts'
import {answerOf, fieldsFor} from '../support/proxied-calls.ts'
import {serving} from '../support/raw-sockets.ts'
import {tempDir} from '../support/socket-dir.ts'
import {until} from '../support/until.ts'

const ok = [{name: ':status', value: '200'}]
const never = new AbortController().signal

/** Calls of '/a.B/Wait' are left to the test. */
async function drained(rules = '') {
  const folder = tempDir()
  const upstream = join(folder, 's')
  const listen = join(folder, 'l')
  const waiting: ServerStream[] = []
  const server = await serving(upstream, (socket) => {
    serveConnection(socket, {
      onStream: (stream, fields) => {
        if (fieldValue(fields, ':path') === '/a.B/Wait') waiting.push(stream)
        else stream.sendHeaders(ok, {endStream: true})
      },
    })
  })
  const parsed = rules === '' ? [] : parseRules(`rules: [${rules}]`, 'rules.yaml').rules
  const proxy = await serveProxy({listen, upstream, rules: parsed, seed: 1, clock: systemClock})
  onTestFinished(() => proxy[Symbol.asyncDispose]())
  const client = () => {
    const socket = connect(listen)
    onTestFinished(() => void socket.destroy())
    return openConnection(socket)
  }
  const ask = (connection: ReturnType<typeof client>, path: string) => connection.request(fieldsFor(path), {endStream: true})
  return {proxy, server, waiting, client, ask}
}

test('drain() lets calls end, serves who comes meanwhile, and resolves when nobody is left', async () => {
  const {proxy, server, waiting, client, ask} = await drained()
  const [one, idle] = [client(), client()]
  await idle.ready
  const slow = await ask(one, '/a.B/Wait')
  await until(async () => expect(waiting).toHaveLength(1), 100, 10)
  let over = false
  const draining = proxy.drain(never).then(() => {
    over = true
  })
  expect((await idle.ended).code).toBe(errorCodes.NO_ERROR)
  await until(async () => expect(one.goingAway).toBe(true), 100, 10)
  const late = client()
  expect((await answerOf(await ask(late, '/a.B/Other'))).first).toEqual(ok)
  expect((await late.ended).code).toBe(errorCodes.NO_ERROR)
  await until(async () => expect(server.connections()).toBe(1), 100, 10)
  expect([over, one.goingAway]).toEqual([false, true])
  waiting[0]?.sendHeaders(ok, {endStream: true})
  expect((await answerOf(slow)).first).toEqual(ok)
  await draining
  await until(async () => expect(server.connections()).toBe(0), 100, 10)
})

test('drain() ends with its signal, and what is left ends with the proxy', async () => {
  const {proxy, waiting, client, ask} = await drained()
  const slow = await ask(client(), '/a.B/Wait')
  await until(async () => expect(waiting).toHaveLength(1), 100, 10)
  await proxy.drain(AbortSignal.timeout(100))
  expect(slow.failure).toBeUndefined()
  await proxy[Symbol.asyncDispose]()
  await until(async () => expect(slow.failure?.by).toBe('connection'), 100, 10)
})

test('drain() pauses the rules and lets go of all that they hold', async () => {
  const {proxy, client, ask} = await drained(
    '{name: h, match: {method: Hang}, fault: {kind: hang-call}}, {name: d, match: {method: Slow}, fault: {kind: delay, before: 1h}}',
  )
  const one = client()
  const [hung, slow] = [await ask(one, '/a.B/Hang'), await ask(one, '/a.B/Slow')]
  await until(async () => expect(proxy.underWay.clients).toBe(2), 100, 10)
  await proxy.drain(never)
  expect(proxy.rules.paused).toBe(true)
  expect(fieldValue((await answerOf(hung)).first, 'grpc-status')).toBe('14')
  expect((await answerOf(slow)).first).toEqual(ok)
})

test('drain() serves whose connection was taken and not answered', async () => {
  const {proxy, client, ask} = await drained('{name: s, fault: {kind: accept-silent}}')
  const one = client()
  const stream = await ask(one, '/a.B/Other')
  await systemClock.sleep(50)
  await proxy.drain(never)
  expect((await answerOf(stream)).first).toEqual(ok)
  expect((await one.ended).code).toBe(errorCodes.NO_ERROR)
})
