import {mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {controlFolder, controlPath, type Owner} from '../../../src/proxy/control/control-socket.ts'
import {findInjector} from '../../../src/proxy/control/find-injector.ts'
import {deadSocket, serving} from '../../support/raw-sockets.ts'
import {tempDir} from '../../support/socket-dir.ts'

test.each([
  [{uid: 0, env: {XDG_RUNTIME_DIR: '/run/user/0'}, temporary: '/tmp'}, '/run/kubelimbo/inject-7.sock'],
  [{uid: 5, env: {XDG_RUNTIME_DIR: '/run/user/5'}, temporary: '/tmp'}, '/run/user/5/kubelimbo/inject-7.sock'],
  [{uid: 5, env: {XDG_RUNTIME_DIR: ''}, temporary: '/tmp'}, '/tmp/kubelimbo-5/inject-7.sock'],
])('controlPath() of %o', (owner, path) => {
  expect(controlPath(owner, 7)).toBe(path)
})

/** Nobody's: root would look below /run. */
function owner(): Owner {
  const env = {XDG_RUNTIME_DIR: tempDir()}
  mkdirSync(join(env.XDG_RUNTIME_DIR, 'kubelimbo'), {mode: 0o700})
  return {uid: 1, env, temporary: '/tmp'}
}

test('findInjector() finds the only one that is alive, among dead sockets and other files', async () => {
  const me = owner()
  await deadSocket(controlPath(me, 1))
  writeFileSync(join(controlFolder(me), 'notes'), '')
  await serving(join(controlFolder(me), 'other.sock'))
  await serving(controlPath(me, 2))
  expect(await findInjector(me)).toBe(controlPath(me, 2))
})

test('findInjector() does not guess', async () => {
  const me = owner()
  const none = {message: 'Cannot tell which injector is meant as one must be running: none is', exit: 3}
  await expect(findInjector(me)).rejects.toMatchObject(none)
  await expect(findInjector({...me, env: {XDG_RUNTIME_DIR: '/nowhere'}})).rejects.toMatchObject(none)
  await serving(controlPath(me, 3))
  await serving(controlPath(me, 4))
  await expect(findInjector(me)).rejects.toMatchObject({
    message: `Cannot tell which injector is meant as one must be running: there are ${controlPath(me, 3)}, ${controlPath(me, 4)}`,
    exit: 2,
  })
})
