import {rmSync, symlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {parseTakeover} from '../../../src/node/bundle/own-records.ts'
import {machineNamespace} from '../../../src/node/kernel/whole-machine.ts'
import {readTakeovers} from '../../../src/node/takeover/read-takeovers.ts'
import {identityOf} from '../../../src/proxy/listen/socket-file.ts'
import {makeFifo} from '../../support/fifo.ts'
import {hostTree} from '../../support/host-tree.ts'
import {journalOf} from '../../support/journal.ts'
import {statText} from '../../support/proc-tree.ts'

const folder = '/run/kubelimbo/takeover'
const journal = journalOf('/run/containerd/containerd.sock', {
  command: 'record',
  proxy: {pid: 7, startTicks: '50'},
  watchdog: {pid: 8, startTicks: '60'},
})
const good = JSON.stringify(journal)
const told = {
  socket: journal.socket,
  startedAt: Date.parse('2026-11-30T03:01:04Z'),
  expiresAt: Date.parse('2026-11-30T03:11:04Z'),
  pid: 7,
  command: 'record' as const,
  atPath: 'nothing' as const,
}
const boot = {'/proc/sys/kernel/random/boot_id': `${journal.bootId}\n`}

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
      [`${folder}/d.json`]: JSON.stringify({...journal, expiresAt: 'tomorrow'}),
      [`${folder}/e.json`]: JSON.stringify({...journal, socket: 'a.sock'}),
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
      {path: `${folder}/a.json`, ...told},
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

test("readTakeovers says who holds a takeover, where /proc is the node's", async () => {
  const stat = {...boot, [`${folder}/a.json`]: good, '/proc/7/stat': statText(7, '50')}
  const holder = {proxy: 'there', watchdog: 'gone', otherBoot: false}
  const isNodes = await hostTree({files: stat, links: {'/proc/1/ns/pid': machineNamespace}})
  const reading = await readTakeovers(isNodes.host)
  expect(reading).toEqual({state: 'read', value: [{path: `${folder}/a.json`, ...told, holder}]})
  expect(reading.state === 'read' && parseTakeover(JSON.parse(JSON.stringify(reading.value[0])))).toEqual({
    path: `${folder}/a.json`,
    ...told,
    holder,
  })
  const withKubelet = await hostTree({files: stat})
  expect(await readTakeovers(withKubelet.host, 12)).toEqual(reading)
})

test('readTakeovers goes by the pid namespace of a journal: in its own somebody is gone, and elsewhere nobody can say', async () => {
  const files = {...boot, [`${folder}/a.json`]: JSON.stringify({...journal, pidNamespace: 'pid:[4026532000]'})}
  const inside = await hostTree({files, links: {'/proc/1/ns/pid': 'pid:[4026532000]'}})
  const holder = {proxy: 'gone', watchdog: 'gone', otherBoot: false}
  expect(await readTakeovers(inside.host)).toEqual({state: 'read', value: [{path: `${folder}/a.json`, ...told, holder}]})
  const onNode = await hostTree({files, links: {'/proc/1/ns/pid': machineNamespace}})
  expect(await readTakeovers(onNode.host)).toEqual({state: 'read', value: [{path: `${folder}/a.json`, ...told}]})
  expect(await readTakeovers(onNode.host, 12)).toEqual(await readTakeovers(onNode.host))
})

test('readTakeovers calls nobody gone in a container, but for what is of another boot', async () => {
  const files = {...boot, [`${folder}/a.json`]: good, [`${folder}/b.json`]: JSON.stringify({...journal, bootId: 'another'})}
  const {host} = await hostTree({files, links: {'/proc/1/ns/pid': 'pid:[4026532000]'}})
  expect(await readTakeovers(host)).toEqual({
    state: 'read',
    value: [
      {path: `${folder}/a.json`, ...told},
      {path: `${folder}/b.json`, ...told, holder: {proxy: 'gone', watchdog: 'gone', otherBoot: true}},
    ],
  })
})

test("readTakeovers looks at the socket's path: the swap may never have come, or was undone", async () => {
  const {host, root} = await hostTree({files: {[`${folder}/a.json`]: good}, sockets: [journal.socket]})
  const there = await identityOf(join(root, journal.socket))
  const atPath = async (parts: object) => {
    writeFileSync(join(root, folder, 'a.json'), JSON.stringify({...journal, ...parts}))
    const reading = await readTakeovers(host)
    return reading.state === 'read' && reading.value[0]?.atPath
  }
  expect(await atPath({original: there})).toBe('original')
  expect(await atPath({ours: [there]})).toBe('ours')
  expect(await atPath({})).toBe('other')
  rmSync(join(root, journal.socket))
  expect(await atPath({original: there})).toBe('nothing')
})
