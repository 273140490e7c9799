// What a stranger owns is not taken over: only root can give files away.
import {chmodSync, chownSync} from 'node:fs'
import {dirname} from 'node:path'
import {expect, test} from 'vitest'
import {ask, refused, served} from '../../support/asked-takeover.ts'

const stranger = 12_345

test('mayTakeOver() refuses what a stranger owns: the socket, its directory, one above; and a group that writes', async () => {
  const {top, socket} = await served()
  const directory = dirname(socket)
  chmodSync(directory, 0o775)
  expect(await ask(socket)).toMatchObject({socket})
  chownSync(directory, 0, stranger)
  expect(await refused(socket)).toContain(
    `5 nobody else must be able to write in its directory: group ${stranger} can in ${directory} (mode 0775)`,
  )
  chmodSync(directory, 0o755)
  chownSync(socket, stranger, stranger)
  expect(await refused(socket)).toContain(`5 it must be root's or yours: it is one of user ${stranger}`)
  chownSync(socket, 0, stranger)
  expect(await ask(socket)).toMatchObject({socket})
  chownSync(directory, stranger, 0)
  expect(await refused(socket)).toContain(`5 its directory must be root's or yours: ${directory} is one of user ${stranger}`)
  chownSync(directory, 0, 0)
  chownSync(top, stranger, 0)
  expect(await refused(socket)).toContain(`5 each directory above it must be root's or yours: ${top} is one of user ${stranger}`)
  expect(await ask(socket, {uid: stranger})).toMatchObject({socket})
})
