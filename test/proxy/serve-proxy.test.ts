import {existsSync, statSync} from 'node:fs'
import {connect, type Socket} from 'node:net'
import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {systemClock} from '../../src/base/clock.ts'
import {parseRules} from '../../src/faults/file/read-rules.ts'
import {openConnection} from '../../src/http2/client-connection.ts'
import {fieldValue} from '../../src/http2/header-field.ts'
import {serveConnection} from '../../src/http2/server-connection.ts'
import type {TracedCall} from '../../src/proxy/call/traced-call.ts'
import {type ProxyOptions, serveProxy} from '../../src/proxy/serve-proxy.ts'
import {codeOf, csiCaller} from '../support/csi-caller.ts'
import {fieldsFor} from '../support/proxied-calls.ts'
import {serving} from '../support/raw-sockets.ts'
import {servedDriver} from '../support/served-driver.ts'
import {tempDir} from '../support/socket-dir.ts'
import {until} from '../support/until.ts'

/** A proxy before a driver of the lab. */
async function proxied(rules = '', more: Partial<ProxyOptions> = {}) {
  const root = tempDir()
  const served = await servedDriver(root, {name: 'd'})
  onTestFinished(() => served[Symbol.asyncDispose]())
  const listen = join(root, 'l.sock')
  const calls: TracedCall[] = []
  const proxy = await serveProxy({
    listen,
    upstream: served.endpoint,
    rules: rules === '' ? [] : parseRules(`rules: [${rules}]`, 'rules.yaml').rules,
    seed: 1,
    clock: systemClock,
    onCall: (call) => calls.push(call),
    ...more,
  })
  onTestFinished(() => proxy[Symbol.asyncDispose]())
  return {listen, served, proxy, calls}
}

async function client(path: string) {
  const caller = await csiCaller(path)
  onTestFinished(() => caller[Symbol.dispose]())
  const name = async () => (await caller.identity.getPluginInfo({}, {timeoutMs: 5000})).name
  const probe = (timeoutMs = 5000) => codeOf(caller.identity.probe({}, {timeoutMs}))
  return {name, probe}
}

test('serveProxy() gives each client a connection of its own: what is held for one holds up no other', async () => {
  const {listen, calls} = await proxied('{name: hang, match: {method: Probe}, limit: 1, fault: {kind: hang-call}}')
  const [one, two] = [await client(listen), await client(listen)]
  const held = one.probe(800)
  await systemClock.sleep(50)
  expect([await two.probe(), await two.name(), await one.name(), await one.probe()]).toEqual(['OK', 'd', 'd', 'OK'])
  expect(await held).toBe('DEADLINE_EXCEEDED')
  await until(async () => expect(calls).toHaveLength(5), 100, 10)
  expect(calls.map(({id}) => id).sort()).toEqual([1, 2, 3, 4, 5])
  expect(new Set(calls.map(({connection}) => connection)).size).toBe(2)
})

test('serveProxy() breaks a client that speaks something else, and no other', async () => {
  const {listen} = await proxied()
  const good = await client(listen)
  expect(await good.name()).toBe('d')
  const bad = connect(listen)
  const ended = new Promise<void>((resolve) => bad.once('close', () => resolve()))
  bad.on('error', () => undefined)
  bad.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  bad.resume()
  await ended
  expect(await good.name()).toBe('d')
})

test.each([`@kubelimbo-proxy-${process.pid}`, 'tcp:127.0.0.1:0'])('serveProxy() listens on %s', async (listen) => {
  const {proxy, served} = await proxied('', {listen})
  expect(proxy.address).toMatch(listen.startsWith('@') ? `unix:${listen}` : /^tcp:127\.0\.0\.1:\d+$/)
  const again = join(tempDir(), 'again.sock')
  await using _second = await serveProxy({listen: again, upstream: proxy.address, rules: [], seed: 1, clock: systemClock})
  expect(await (await client(again)).name()).toBe(served.driver.identity.pluginInfo().name)
})

test('serveProxy() gives its socket the mode that is asked for', async () => {
  expect(statSync((await proxied()).listen).mode & 0o777).toBe(0o600)
  expect(statSync((await proxied('', {mode: 0o660})).listen).mode & 0o777).toBe(0o660)
})

test('serveProxy() goes with its server, and comes back with it', async () => {
  const {listen, served} = await proxied()
  const before = await client(listen)
  expect(await before.name()).toBe('d')
  served.driver.stop()
  await until(async () => expect(existsSync(served.endpoint)).toBe(false), 100, 10)
  expect(await before.probe()).not.toBe('OK')
  await expect(csiCaller(listen)).rejects.toMatchObject({code: 'UNAVAILABLE'})
  await until(async () => expect(existsSync(listen)).toBe(false), 100, 10)
  served.driver.start()
  await until(async () => expect(await (await client(listen)).name()).toBe('d'), 100, 20)
})

test('serveProxy() has socket faults from the start, for their time, unless they are paused', async () => {
  const {listen, proxy} = await proxied('{name: down, until: 400ms, fault: {kind: refuse}}')
  await expect(csiCaller(listen)).rejects.toThrow('nobody listens on')
  proxy.rules.pause(true)
  await until(async () => expect(await (await client(listen)).name()).toBe('d'), 20, 10)
  proxy.rules.pause(false)
  await until(async () => expect(await (await client(listen)).name()).toBe('d'), 100, 20)
  expect(proxy.rules.list()).toMatchObject([{rule: {name: 'down'}, seen: 0, taken: 0}])
})

test('serveProxy() tells at once which rule takes a call', async () => {
  const took: string[] = []
  const onTake: ProxyOptions['onTake'] = ({name}, {method}) => void took.push(`${name} ${method}`)
  const {listen} = await proxied('{name: hang, match: {method: Probe}, fault: {kind: hang-call}}', {onTake})
  const {probe} = await client(listen)
  const held = probe(2000)
  await until(async () => expect(took).toEqual(['hang Probe']), 100, 10)
  expect(await held).toBe('DEADLINE_EXCEEDED')
})

test.each([
  ['an address that is none', {listen: 'nowhere'}, 'Cannot use the address to listen on as it must be the address of a unix socket'],
  [
    'a server elsewhere',
    {upstream: 'tcp:10.0.0.1:80'},
    'Cannot use the address of the server as it must be a port of the loopback address',
  ],
] as const)('serveProxy() refuses %s', async (_, more, why) => {
  await expect(proxied('', more)).rejects.toThrow(why)
})

test('serveProxy() refuses to stand where its server is, and leaves it alone', async () => {
  const {served} = await proxied()
  const options = {listen: served.endpoint, upstream: served.endpoint, rules: [], seed: 1, clock: systemClock}
  await expect(serveProxy(options)).rejects.toThrow('nobody must listen there: somebody does')
  expect(await (await client(served.endpoint)).name()).toBe('d')
})

/** A server that answers nothing, on a socket of its own. */
async function silentServer(onSocket: (socket: Socket) => void) {
  const root = tempDir()
  const upstream = join(root, 'u.sock')
  const server = await serving(upstream, onSocket)
  const open = async (rules: string) => {
    const proxy = await serveProxy({
      listen: join(root, 'l.sock'),
      upstream,
      rules: rules === '' ? [] : parseRules(`rules: [${rules}]`, 'rules.yaml').rules,
      seed: 1,
      clock: systemClock,
      onCall: () => undefined,
    })
    onTestFinished(() => proxy[Symbol.asyncDispose]())
    return proxy
  }
  return {server, listen: join(root, 'l.sock'), open}
}

test('serveProxy() brings the client’s first word to a server that waits for it, and sees a client leave that waits for the server’s', async () => {
  const heard: string[] = []
  const {server, listen, open} = await silentServer((socket) => socket.on('data', (data) => heard.push(`${data}`)))
  await open('')
  const socket = connect(listen)
  const connection = openConnection(socket)
  await until(async () => expect(heard.join('')).toContain('PRI * HTTP/2.0'), 100, 10)
  connection.destroy()
  socket.destroy()
  await until(async () => expect(server.connections()).toBe(0), 100, 10)
})

test('serveProxy() ends with calls of every kind in flight, and leaves no connection open', async () => {
  const requests: string[] = []
  const {server, listen, open} = await silentServer((socket) => {
    serveConnection(socket, {onStream: (_, fields) => void requests.push(fieldValue(fields, ':path') ?? '')})
  })
  const kinds = [
    'kind: hang-call',
    'kind: hang-after-exec',
    'kind: delay, before: 1h',
    'kind: delay, after: 1h',
    'kind: duplicate',
    'kind: reorder',
    'kind: throttle, bytesPerSecond: 1',
    'kind: stream-stall, after: 1',
    'kind: drop-reply',
    'kind: exec-then-error, code: INTERNAL',
  ]
  const proxy = await open(kinds.map((kind, index) => `{name: r${index}, match: {method: M${index}}, fault: {${kind}}}`).join(', '))
  const socket = connect(listen)
  const connection = openConnection(socket)
  const paths = [...kinds.keys(), 'passes'].map((name) => `/a.B/M${name}`)
  const streams = await Promise.all(paths.map((path) => connection.request(fieldsFor(path))))
  // Two are held before the server hears of them, and one it hears of twice.
  await until(async () => expect(requests).toHaveLength(10), 100, 10)
  streams[1]?.reset()
  await proxy[Symbol.asyncDispose]()
  await until(async () => expect([server.connections(), socket.destroyed]).toEqual([0, true]), 100, 10)
  expect(streams.map(({failure}) => failure?.by)).toEqual(paths.map((_, index) => (index === 1 ? 'us' : 'connection')))
})
