import {symlinkSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {readTakeovers} from '../../../src/node/takeover/read-takeovers.ts'
import {makeFifo} from '../../support/fifo.ts'
import {hostTree} from '../../support/host-tree.ts'

const folder = '/run/kubelimbo/takeover'
const good = JSON.stringify({socket: '/run/containerd/containerd.sock', expiresAt: '2026-11-30T03:11:04Z', mode: 384})

test('readTakeovers reads nothing where nothing was taken over', async () => {
  const {host} = await hostTree({})
  expect(await readTakeovers(host)).toEqual({state: 'read', value: []})
})

test('readTakeovers reads the journals, and says of one that it cannot be used', async () => {
  const {host, root} = await hostTree({
    files: {
      [`${folder}/a.json`]: good,
      [`${folder}/b.json`]: '{"socket":',
      [`${folder}/c.json`]: '',
      [`${folder}/d.json`]: '{"socket":"/s","expiresAt":"tomorrow"}',
      [`${folder}/e.json`]: '{"expiresAt":"2026-11-30T03:11:04Z"}',
      [`${folder}/f.json`]: '7',
      [`${folder}/.g.json.tmp`]: '{',
    },
  })
  makeFifo(join(root, folder, 'h.json'))
  symlinkSync('/etc/passwd', join(root, folder, 'i.json'))
  const reading = await readTakeovers(host)
  const unreadable = (name: string, why: string) => ({path: `${folder}/${name}.json`, unreadable: why})
  expect(reading).toEqual({
    state: 'read',
    value: [
      {path: `${folder}/a.json`, socket: '/run/containerd/containerd.sock', expiresAt: Date.parse('2026-11-30T03:11:04Z')},
      unreadable('b', 'it is no JSON'),
      unreadable('c', 'it is empty'),
      unreadable('d', "its 'expiresAt' cannot be used"),
      unreadable('e', "its 'socket' cannot be used"),
      unreadable('f', 'it is no object'),
      unreadable('h', 'it is a FIFO'),
      unreadable('i', 'it is a link, which is not followed'),
    ],
  })
})

test('readTakeovers says why it could not look', async () => {
  const {host} = await hostTree({files: {'/run/kubelimbo': 'no folder'}})
  expect(await readTakeovers(host)).toEqual({state: 'failed', why: expect.stringContaining('ENOTDIR') as string})
})
