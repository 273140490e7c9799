import {mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, expect, test} from 'vitest'
import {UserError} from '../../../src/base/errors.ts'
import {socketsOfRecording} from '../../../src/lab/replay/recorded-node.ts'
import {serveSockets} from '../../../src/lab/replay/serve-sockets.ts'

const temporary = mkdtempSync(join(tmpdir(), 'kl-'))
afterAll(() => rmSync(temporary, {recursive: true, force: true}))

const recorded = (paths: readonly string[]) =>
  socketsOfRecording(
    paths.map((socket) => ({socket, at: 0, service: 'runtime.v1.RuntimeService', method: 'Version', durationMs: 0, code: 'OK'})),
  )

const newRoot = () => mkdtempSync(join(temporary, 'root-'))

test.each([
  ['above the root', ['/../../up/a.sock'], ['up/a.sock']],
  ['in several spellings', ['/run//a.sock', '/run/./a.sock', '/run/x/../a.sock', '/run/a.sock/'], ['run/a.sock']],
  ['that is a device elsewhere', ['/dev/null'], ['dev/null']],
  ['with a line break in it', ['/run/a\nb.sock'], ['run/a\nb.sock']],
  ['of the names that ours have at first', ['/0', '/1', '/run/.kl-0'], ['0', '1', 'run/.kl-0']],
])('serveSockets() puts a socket %s below its root, and tells where', async (_what, paths, expected) => {
  const root = newRoot()
  const sockets = recorded(paths)
  await using _served = await serveSockets(root, sockets)
  const found = readdirSync(root, {recursive: true, withFileTypes: true}).filter((each) => each.isSocket())
  expect(found.map(({parentPath, name}) => join(parentPath, name)).toSorted()).toEqual(expected.map((each) => join(root, each)))
  expect(sockets.map(({path}) => path)).toEqual(expected.map((each) => `/${each}`))
})

test.each([
  ['is the root', ['/'], '/'],
  ['has a name that is too long', [`/run/${'x'.repeat(300)}`], 'ENAMETOOLONG'],
  ['has a zero byte in it', ['/run/a\0b.sock'], 'zero'],
  ['lies below another', ['/run/a.sock', '/run/a.sock/b.sock'], 'EEXIST'],
  ['is the folder of another', ['/run/a.sock/b.sock', '/run/a.sock'], 'EISDIR'],
])('serveSockets() tells of a socket that %s', async (_what, paths, why) => {
  const error: unknown = await serveSockets(newRoot(), recorded(paths)).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(UserError)
  expect((error as UserError).message).toContain(why)
})

test('serveSockets() makes nothing where a link of a bundle leads', async () => {
  const root = newRoot()
  mkdirSync(join(temporary, 'outside'), {recursive: true})
  symlinkSync(join(temporary, 'outside'), join(root, 'run'))
  await using _served = await serveSockets(root, recorded(['/run/a.sock']))
  expect(readdirSync(join(temporary, 'outside'))).toEqual([])
})
