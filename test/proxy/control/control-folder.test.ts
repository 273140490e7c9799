import {chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync} from 'node:fs'
import {userInfo} from 'node:os'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {openControlFolder} from '../../../src/proxy/control/control-folder.ts'
import {deadSocket, serving} from '../../support/raw-sockets.ts'
import {tempDir} from '../../support/socket-dir.ts'

const {uid} = userInfo()
const nobody = () => false

test('openControlFolder() makes one for its owner alone, and takes no other', async () => {
  const folder = join(tempDir(), 'a/b')
  await openControlFolder(join(folder, 'x.sock'), uid, nobody)
  await openControlFolder(join(folder, 'x.sock'), uid, nobody)
  await expect(openControlFolder(join(folder, 'x.sock'), uid + 1, nobody)).rejects.toThrow(`it is one of user ${uid}`)
  chmodSync(folder, 0o755)
  await expect(openControlFolder(join(folder, 'x.sock'), uid, nobody)).rejects.toThrow(
    `Cannot have the control socket in ${folder} as it must be a directory of yours with mode 0700: its mode is 0755`,
  )
})

test('openControlFolder() leaves none of the folders that it made, when it ends and when it is refused', async () => {
  const top = tempDir()
  const path = join(top, 'a/b/x.sock')
  const folder = await openControlFolder(path, uid, nobody)
  expect(existsSync(join(top, 'a/b'))).toBe(true)
  await folder[Symbol.asyncDispose]()
  await expect(openControlFolder(path, uid + 1, nobody)).rejects.toThrow('it is one of user')
  writeFileSync(join(top, 'file'), '')
  await expect(openControlFolder(join(top, 'file/b/x.sock'), uid, nobody)).rejects.toThrow('must be a directory that can be made')
  expect(readdirSync(top)).toEqual(['file'])
})

test('openControlFolder() leaves what was there before, or is used by somebody', async () => {
  const top = tempDir()
  mkdirSync(join(top, 'a'))
  const used = await openControlFolder(join(top, 'a/b/c/x.sock'), uid, nobody)
  writeFileSync(join(top, 'a/b/other'), '')
  await used[Symbol.asyncDispose]()
  expect(readdirSync(join(top, 'a/b'))).toEqual(['other'])
})

test('openControlFolder() removes dead sockets of injectors that are gone, and nothing else', async () => {
  const folder = join(tempDir(), 'c')
  mkdirSync(folder, {mode: 0o700})
  for (const name of ['inject-1.sock', 'inject-2.sock', 'other.sock', 'inject-x.sock']) await deadSocket(join(folder, name))
  await serving(join(folder, 'inject-3.sock'))
  writeFileSync(join(folder, 'inject-4.sock'), '')
  await openControlFolder(join(folder, 'inject-7.sock'), uid, (pid) => pid === 2)
  expect(readdirSync(folder).sort()).toEqual(['inject-2.sock', 'inject-3.sock', 'inject-4.sock', 'inject-x.sock', 'other.sock'])
})
