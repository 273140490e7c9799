// Attributes of a real socket, by Debian's getfattr and setfattr.
import {lstatSync} from 'node:fs'
import {expect, test} from 'vitest'
import {runBriefly} from '../../../src/proxy/takeover/run-briefly.ts'
import {readDress} from '../../../src/proxy/takeover/socket-attributes.ts'
import {twoSockets} from '../../support/two-sockets.ts'

test('readDress() copies real attributes by the programs of attr', async () => {
  const {socket, side} = await twoSockets()
  const list = '0sAgAAAAEABgD/////AgAGAOgDAAAEAAQA/////xAABgD/////IAAEAP////8='
  await runBriefly('setfattr', ['-h', '-n', 'system.posix_acl_access', '-v', list, socket])
  await runBriefly('setfattr', ['-h', '-n', 'trusted.x', '-v', 'a b', socket])
  await (await readDress(socket))(side)
  const dump = async (path: string) =>
    (await runBriefly('getfattr', ['-h', '-d', '-m', '-', '-e', 'base64', '--absolute-names', path])).stdout.replace(path, 'FILE')
  expect(await dump(side)).toBe(await dump(socket))
  expect(await dump(side)).toContain(`system.posix_acl_access=${list}`)
  expect(lstatSync(side).mode).toBe(lstatSync(socket).mode)
})
