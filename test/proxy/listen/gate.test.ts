import {existsSync, rmSync} from 'node:fs'
import {connect} from 'node:net'
import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {systemClock} from '../../../src/base/clock.ts'
import type {Rule} from '../../../src/faults/rule.ts'
import {openGate} from '../../../src/proxy/listen/gate.ts'
import {type ArmedRule, socketFaultAt} from '../../../src/proxy/listen/socket-faults.ts'
import {byteRelay} from '../../support/byte-relay.ts'
import {manualClock} from '../../support/manual-clock.ts'
import {codeOfConnecting, deadSocket, serving} from '../../support/raw-sockets.ts'
import {tempDir} from '../../support/socket-dir.ts'
import {noneOfCalls} from '../../support/socket-rules.ts'
import {until} from '../../support/until.ts'

async function gated(clock = manualClock()) {
  const folder = tempDir()
  const listen = join(folder, 'listen.sock')
  const upstream = join(folder, 'upstream.sock')
  const rules: ArmedRule[] = []
  const trouble: string[] = []
  const gate = await openGate({
    listen: {kind: 'unix', path: listen},
    upstream: {kind: 'unix', path: upstream},
    mode: 0o600,
    clock,
    socketFault: () => socketFaultAt(rules, clock.now()),
    join: byteRelay,
    onTrouble: (text) => void trouble.push(text),
  })
  onTestFinished(() => gate[Symbol.asyncDispose]())
  const set = (...all: readonly Rule[]) => {
    rules.splice(0, rules.length, ...all.map((rule) => ({rule, armedAt: clock.now()})))
    gate.settle()
  }
  return {listen, upstream, gate, clock, trouble, set, sees: (what: string) => sees(listen, what)}
}

const sees = (path: string, what: string) => until(async () => expect(await codeOfConnecting(path, 100)).toBe(what), 100, 10)

/** A client that stays. */
function staying(path: string) {
  const heard: string[] = []
  const socket = connect(path)
  socket.on('data', (data) => heard.push(data.toString())).on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  return {socket, heard, ended: new Promise<void>((resolve) => socket.once('close', () => resolve()))}
}

test('openGate() gives each client a connection of its own, and one that ends takes no other along', async () => {
  const {listen, upstream} = await gated()
  const server = await serving(upstream, (socket) =>
    socket.on('data', (data) => (data.toString() === 'bye' ? socket.destroy() : socket.write(data))),
  )
  const [one, two] = [staying(listen), staying(listen)]
  one.socket.write('1')
  two.socket.write('2')
  await until(async () => expect([one.heard, two.heard]).toEqual([['1'], ['2']]), 100, 10)
  expect(server.connections()).toBe(2)
  one.socket.write('bye')
  await one.ended
  two.socket.write('3')
  await until(async () => expect(two.heard.join('')).toBe('23'), 100, 10)
})

test('openGate() closes the first client when there is no server, and then is not there either until one is', async () => {
  const {listen, upstream, clock, sees} = await gated()
  expect(['end', 'ECONNRESET']).toContain(await codeOfConnecting(listen))
  await sees('ENOENT')
  await clock.advance(1000)
  await sees('ENOENT')
  await deadSocket(upstream)
  await clock.advance(100)
  await sees('ECONNREFUSED')
  rmSync(upstream)
  await serving(upstream)
  await until(async () => {
    await clock.advance(50)
    await sees('served')
  }, 3)
})

test('openGate() follows a server through a restart', async () => {
  const {listen, upstream, clock, sees} = await gated()
  const first = await serving(upstream, (socket) => socket.write('first'))
  const client = staying(listen)
  await until(async () => expect(client.heard).toEqual(['first']), 100, 10)
  first.close()
  await client.ended
  await sees('ENOENT')
  expect(existsSync(listen)).toBe(false)
  await serving(upstream, (socket) => socket.write('second'))
  await until(async () => {
    await clock.advance(50)
    await sees('second')
  }, 3)
})

test('openGate() lets a client wait as long as the server takes', async () => {
  const {listen, upstream} = await gated(manualClock())
  await serving(upstream, (socket) => void systemClock.sleep(300).then(() => socket.end('late')))
  expect(await codeOfConnecting(listen, 5000)).toBe('late')
})

test.each([
  ['refuse', 'ECONNREFUSED'],
  ['no-socket', 'ENOENT'],
] as const)('openGate() with the fault %s breaks what is open, and clients see %s until it is over', async (fault, code) => {
  const {listen, upstream, clock, set, sees} = await gated()
  await serving(upstream, (socket) => socket.write('here'))
  const client = staying(listen)
  await until(async () => expect(client.heard).toEqual(['here']), 100, 10)
  set({...noneOfCalls('down', fault), from: 1000, until: 3000})
  await clock.advance(999)
  await sees('here')
  expect(client.socket.destroyed).toBe(false)
  await clock.advance(1)
  await client.ended
  await sees(code)
  await clock.advance(1999)
  await sees(code)
  await clock.advance(1)
  await sees('here')
  set(noneOfCalls('down', fault))
  await sees(code)
  set()
  await sees('here')
})

test('openGate() with accept-silent takes connections, says nothing, and serves those that still wait when it is over', async () => {
  const {listen, upstream, set, sees} = await gated()
  const server = await serving(upstream, (socket) => socket.write('here'))
  const before = staying(listen)
  await until(async () => expect(before.heard).toEqual(['here']), 100, 10)
  set(noneOfCalls('silent', 'accept-silent'))
  await before.ended
  const client = staying(listen)
  await sees('silence')
  await until(async () => expect(server.connections()).toBe(0), 100, 10)
  expect(client.socket.destroyed).toBe(false)
  set()
  await until(async () => expect(client.heard).toEqual(['here']), 100, 10)
  set(noneOfCalls('silent', 'accept-silent'))
  const next = staying(listen)
  await sees('silence')
  set(noneOfCalls('down', 'refuse'))
  await next.ended
  await sees('ECONNREFUSED')
})

test('openGate() ends with all its connections and without a file', async () => {
  const {listen, upstream, gate, set, sees} = await gated()
  await serving(upstream, (socket) => socket.write('here'))
  const client = staying(listen)
  await until(async () => expect(client.heard).toEqual(['here']), 100, 10)
  set(noneOfCalls('silent', 'accept-silent'))
  const parked = staying(listen)
  await sees('silence')
  await gate[Symbol.asyncDispose]()
  await Promise.all([client.ended, parked.ended])
  expect(existsSync(listen)).toBe(false)
})

test('openGate() tells when somebody else has taken its place', async () => {
  const {listen, upstream, set, trouble, sees} = await gated()
  await serving(upstream)
  set(noneOfCalls('down', 'no-socket'))
  await sees('ENOENT')
  await serving(listen)
  set()
  await until(async () => expect(trouble).toEqual([`Cannot listen on ${listen} as nobody must listen there: somebody does`]), 100, 10)
  await sees('served')
})

test('openGate() with accept-silent lets go of clients that leave, and loses nothing of what the others said', async () => {
  const {listen, upstream, set, gate} = await gated()
  await serving(upstream, (socket) => socket.on('data', (data) => socket.write(`heard ${data}`)))
  set(noneOfCalls('silent', 'accept-silent'))
  const ours = () => process.getActiveResourcesInfo().filter((name) => name === 'PipeWrap').length
  const before = ours()
  const leaving = Array.from({length: 20}, () => staying(listen))
  const client = staying(listen)
  client.socket.write('hello')
  await until(async () => expect(ours()).toBeGreaterThanOrEqual(before + 42), 100, 10)
  for (const {socket} of leaving) socket.destroy()
  await until(async () => expect(ours()).toBeLessThanOrEqual(before + 2), 100, 10)
  set()
  await until(async () => expect(client.heard).toEqual(['heard hello']), 100, 10)
  await gate[Symbol.asyncDispose]()
})

test('openGate() works a place that is handed in as its own, says once what goes wrong with it, and does not take it away', async () => {
  const folder = tempDir()
  const [path, upstream] = [join(folder, 'taken'), join(folder, 'side')]
  const clock = manualClock()
  const rules: ArmedRule[] = []
  const [trouble, states]: [string[], string[]] = [[], []]
  let fails = false
  const gate = await openGate({
    listen: {kind: 'unix', path},
    upstream: {kind: 'unix', path: upstream},
    mode: 0o600,
    clock,
    socketFault: () => socketFaultAt(rules, clock.now()),
    placeFor: async (serverFor) => {
      serverFor().listen(path)
      const say = async (state: string) => {
        if (fails) throw new Error('somebody else has it')
        states.push(state)
      }
      return {
        address: {kind: 'unix', path},
        open: () => say('open'),
        close: say,
        [Symbol.asyncDispose]: async () => void states.push('ended'),
      }
    },
    join: byteRelay,
    onTrouble: (text) => void trouble.push(text),
  })
  const set = async (...all: readonly Rule[]) => {
    rules.splice(0, rules.length, ...all.map((rule) => ({rule, armedAt: clock.now()})))
    for (let count = 0; count < 3; count++) gate.settle()
    await systemClock.sleep(20)
  }
  await set(noneOfCalls('r', 'no-socket'))
  await set()
  fails = true
  await set(noneOfCalls('r', 'refuse'))
  fails = false
  await set()
  expect(states).toEqual(['no-socket', 'open'])
  expect(trouble).toEqual(['somebody else has it'])
  // There is no socket of the server's beside it.
  await codeOfConnecting(path)
  await until(async () => expect(states).toEqual(['no-socket', 'open', 'refuse']), 100, 10)
  expect(trouble.slice(1)).toEqual([
    `Cannot reach the server any more as its socket must be at unix://${upstream}: somebody has removed it`,
  ])
  await gate[Symbol.asyncDispose]()
  expect(states.at(-1)).toBe('ended')
})
