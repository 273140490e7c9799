import {mkdirSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {expect, test} from 'vitest'
import {listPluginSockets, listRegistrySockets} from '../../../src/node/csi/list-sockets.ts'
import {heldName, sideName} from '../../../src/proxy/takeover/names.ts'
import {sideNames} from '../../../src/proxy/takeover/side-names.ts'
import {deadSocket} from '../../support/raw-sockets.ts'
import {tempDir} from '../../support/socket-dir.ts'

const placeOf = (path: string) => Promise.resolve(path)

test('listPluginSockets and listRegistrySockets take no name of a takeover for a socket of a driver', async () => {
  const {trial, ...names} = sideNames({side: sideName('0a1b2c3d'), held: heldName('0a1b2c3d')})
  const plugins = tempDir()
  const driver = join(plugins, 'a.example/csi.sock')
  mkdirSync(dirname(driver))
  for (const name of [...Object.values(names), ...trial, 'csi.sock', 'other.sock']) await deadSocket(join(dirname(driver), name))
  writeFileSync(join(dirname(driver), '.kubelimbo.sock'), '')
  expect(await listPluginSockets(plugins, placeOf)).toEqual({paths: [driver, join(dirname(driver), 'other.sock')]})
  expect(await listRegistrySockets(dirname(driver), placeOf)).toEqual({paths: [driver, join(dirname(driver), 'other.sock')]})
})
