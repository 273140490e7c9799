import {existsSync, mkdirSync, readdirSync, renameSync, statSync, symlinkSync, writeFileSync} from 'node:fs'
import type {Socket} from 'node:net'
import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {openListener} from '../../../src/proxy/listen/listener.ts'
import {parseProxyAddress} from '../../../src/proxy/listen/proxy-address.ts'
import {codeOfConnecting, deadSocket, serving} from '../../support/raw-sockets.ts'
import {tempDir} from '../../support/socket-dir.ts'

const told: Socket[] = []
const options = (text: string) => ({
  address: parseProxyAddress(text, '--listen'),
  mode: 0o600,
  onConnection: (socket: Socket) => void told.push(socket.end('hello')),
})
async function listening(text: string) {
  const listener = await openListener(options(text))
  onTestFinished(async () => listener[Symbol.asyncDispose]())
  return listener
}

test('openListener() makes a socket for its owner alone, with nothing else beside it, and takes it away', async () => {
  const folder = tempDir()
  const path = join(folder, 'x.sock')
  const listener = await openListener(options(path))
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder)).toEqual(['x.sock'])
  expect(await codeOfConnecting(path)).toBe('hello')
  await listener[Symbol.asyncDispose]()
  expect(readdirSync(folder)).toEqual([])
})

test('openListener() takes a path of 107 bytes', async () => {
  const folder = tempDir()
  const path = join(folder, 'x'.repeat(106 - folder.length))
  await listening(path)
  expect(await codeOfConnecting(path)).toBe('hello')
})

test('openListener() replaces a socket that nobody listens on', async () => {
  const path = join(tempDir(), 'x.sock')
  await deadSocket(path)
  expect(await codeOfConnecting(path)).toBe('ECONNREFUSED')
  await listening(path)
  expect(await codeOfConnecting(path)).toBe('hello')
})

test.each([
  ['a live server', async (path: string) => void (await serving(path)), 'as nobody must listen there: somebody does'],
  ['a file', async (path: string) => writeFileSync(path, ''), 'it is a file that is no socket'],
  ['a directory', async (path: string) => mkdirSync(path), 'it is a directory'],
  ['a link', async (path: string) => symlinkSync('/nowhere', path), 'it is a link'],
])('openListener() leaves %s alone', async (_, make, why) => {
  const path = join(tempDir(), 'x.sock')
  await make(path)
  const before = statSync(path, {throwIfNoEntry: false})?.ino
  await expect(openListener(options(path))).rejects.toThrow(why)
  await expect(openListener(options(path))).rejects.toMatchObject({exit: 5})
  expect(statSync(path, {throwIfNoEntry: false})?.ino).toBe(before)
})

test('openListener() says that a directory is missing', async () => {
  const path = join(tempDir(), 'no/x.sock')
  await expect(openListener(options(path))).rejects.toThrow(
    `Cannot listen on ${path} as a socket must be made in ${join(path, '..')}: there is no such directory`,
  )
})

test('openListener() is refused an abstract name and a port that somebody has', async () => {
  const name = `@kubelimbo-test-${process.pid}`
  const first = await listening(name)
  await expect(openListener(options(name))).rejects.toThrow('nobody must listen there: somebody does')
  await first.become('refuse')
  await listening(name)
  const {address} = await listening('tcp:127.0.0.1:0')
  if (address.kind !== 'tcp') throw new Error('not TCP')
  await expect(openListener(options(`tcp:127.0.0.1:${address.port}`))).rejects.toThrow('somebody does')
})

test('become() goes through all states: the file without a listener, no file, and back', async () => {
  const path = join(tempDir(), 'x.sock')
  const listener = await listening(path)
  const seen: string[] = []
  for (const state of ['refuse', 'no-socket', 'open', 'no-socket', 'refuse', 'open', 'open', 'refuse'] as const) {
    await listener.become(state)
    seen.push(`${state}: ${await codeOfConnecting(path)}`)
  }
  expect(seen).toEqual([
    'refuse: ECONNREFUSED',
    'no-socket: ENOENT',
    'open: hello',
    'no-socket: ENOENT',
    'refuse: ECONNREFUSED',
    'open: hello',
    'open: hello',
    'refuse: ECONNREFUSED',
  ])
  await listener[Symbol.asyncDispose]()
  expect(existsSync(path)).toBe(false)
})

test('a listener leaves alone what somebody else has put in its place', async () => {
  const path = join(tempDir(), 'x.sock')
  const listener = await listening(path)
  await serving(`${path}.new`, (socket) => socket.end('other'))
  renameSync(`${path}.new`, path)
  await listener.become('no-socket')
  expect(await codeOfConnecting(path)).toBe('other')
  await expect(listener.become('open')).rejects.toThrow('somebody does')
  await listener[Symbol.asyncDispose]()
  expect(await codeOfConnecting(path)).toBe('other')
})

test.each([
  // On Linux nobody has this one, as root or not.
  ['an address that this machine has not', {kind: 'tcp', host: '192.0.2.1', port: 0}, 'this machine must have that address: EADDRNOTAVAIL'],
  ['what no system takes', {kind: 'unix', path: `@${'x'.repeat(200)}`}, 'this machine must let us: '],
] as const)('openListener() refuses %s, and it is no mistake of ours', async (_, address, why) => {
  const refused = openListener({...options('@x'), address})
  await expect(refused).rejects.toMatchObject({message: expect.stringContaining(why), exit: 5})
})

test('openListener() names the directory that it may not write to, as the user did', async () => {
  // Nobody makes files there, not even root.
  await expect(openListener(options('/proc/self/x.sock'))).rejects.toMatchObject({
    message: expect.stringMatching(/^Cannot listen on \/proc\/self\/x\.sock as a socket must be made in \/proc\/self: (?!.*fd)/),
    exit: 5,
  })
})
