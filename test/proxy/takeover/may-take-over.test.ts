import {chmodSync, lstatSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {expect, test} from 'vitest'
import {myUid} from '../../../src/cli/account.ts'
import {createJournal, journalId} from '../../../src/proxy/takeover/journal-file.ts'
import {parseTakenSocket} from '../../../src/proxy/takeover/parse-taken-socket.ts'
import {ask, refused, served} from '../../support/asked-takeover.ts'
import type {HostTree} from '../../support/host-tree.ts'
import {journalOf} from '../../support/journal.ts'
import {deadSocket} from '../../support/raw-sockets.ts'
import {tempDir} from '../../support/socket-dir.ts'

const _uid = myUid()

test('mayTakeOver() says which socket it is, the links of its directory resolved, and changes nothing', async () => {
  const {top, socket} = await served()
  symlinkSync('a', join(top, 'link'))
  const {dev, ino} = lstatSync(socket, {bigint: true})
  const found = await ask(join(top, 'link/csi.sock'))
  expect(found).toMatchObject({socket, directory: join(top, 'a'), name: 'csi.sock', original: {device: String(dev), inode: String(ino)}})
  expect(found.original.born).toMatch(/^\d+$/)
  expect(readdirSync(join(top, 'a'))).toEqual(['csi.sock'])
})

test('mayTakeOver() refuses a link, and names what it leads to', async () => {
  const {top, socket} = await served()
  symlinkSync('csi.sock', join(top, 'a/other.sock'))
  expect(await refused(join(top, 'a/other.sock'))).toBe(
    '5 it must be the socket itself: it is a link to csi.sock | take over what it leads to: csi.sock',
  )
  expect(await refused(dirname(socket))).toContain('5 it must be a socket: it is a directory')
  writeFileSync(join(top, 'a/file'), '')
  expect(await refused(join(top, 'a/file'))).toContain('5 it must be a socket: it is a file that is none')
})

test('mayTakeOver() finds nothing to take over where nobody is', async () => {
  const {top} = await served()
  const gone =
    '3 it must be a socket on which somebody listens: it is not there | kubelimbo endpoints and kubelimbo drivers show the sockets of this node'
  expect(await refused(join(top, 'a/none.sock'))).toBe(gone)
  expect(await refused(join(top, 'b/none.sock'))).toBe(gone)
  expect(await refused(join(top, 'a/csi.sock/x'))).toBe(gone)
  await deadSocket(join(top, 'a/dead.sock'))
  expect(await refused(join(top, 'a/dead.sock'))).toBe('3 somebody must listen there: nobody does | start its server first')
})

test('mayTakeOver() refuses what is a mount point', async () => {
  const {socket} = await served()
  const proc = tempDir()
  mkdirSync(join(proc, 'self'))
  const line = (path: string) => `36 35 0:25 /x ${path.replace(' ', '\\040')} rw - tmpfs tmpfs rw\n`
  writeFileSync(join(proc, 'self/mountinfo'), line('/') + line(dirname(socket)))
  expect(await ask(socket, {proc})).toMatchObject({socket})
  writeFileSync(join(proc, 'self/mountinfo'), line('/') + line(socket))
  expect(await refused(socket, {proc})).toContain('5 it must be no mount point: it is one, and cannot be renamed')
})

test('mayTakeOver() never takes what lies in plugins_registry, by whatever name it is called', async () => {
  const {top, socket} = await served('plugins_registry/csi.example.com-reg.sock')
  symlinkSync('plugins_registry', join(top, 'elsewhere'))
  for (const path of [socket, join(top, 'elsewhere/csi.example.com-reg.sock')]) {
    expect(await refused(path, {force: true})).toContain(
      '5 it must not be in plugins_registry: without its registration socket the kubelet drops the driver',
    )
  }
})

test.each([
  [0o777, 'nobody else must be able to write in its directory: everybody can in'],
  [0o1777, 'nobody else must be able to write in its directory: everybody can in'],
])('mayTakeOver() refuses a directory of mode %o', async (mode, why) => {
  const {socket} = await served()
  chmodSync(dirname(socket), mode)
  expect(await refused(socket, {force: true})).toContain(`5 ${why} ${dirname(socket)} (mode 0${mode.toString(8)})`)
})

test('mayTakeOver() refuses a path that others can swap, and goes through sticky directories', async () => {
  const {top, socket} = await served()
  chmodSync(top, 0o777)
  expect(await refused(socket)).toContain(
    `5 nobody else must be able to swap a directory above it: everybody can write in ${top} (mode 0777)`,
  )
  chmodSync(top, 0o1777)
  expect(await ask(socket)).toMatchObject({socket})
})

test.each<[string, HostTree, string]>([
  ['an API server', {processes: [{pid: 7, name: 'kube-apiserver', args: ['kube-apiserver']}]}, 'process 7 is its API server'],
  ['one in hyperkube', {processes: [{pid: 7, name: 'hyperkube', args: ['/hyperkube', 'apiserver']}]}, 'process 7 is its API server'],
  [
    'its manifest',
    {files: {'/etc/kubernetes/manifests/kube-apiserver.yaml': ''}},
    '/etc/kubernetes/manifests/kube-apiserver.yaml is there',
  ],
  [
    'a server of k3s',
    {files: {'/var/lib/rancher/k3s/server/token': ''}, processes: [{pid: 7, name: 'k3s-server', args: []}]},
    '/var/lib/rancher/k3s/server is there, and process 7 is k3s-server',
  ],
  [
    'a server of rke2',
    {files: {'/var/lib/rancher/rke2/server/token': ''}, processes: [{pid: 8, name: 'rke2', args: []}]},
    '/var/lib/rancher/rke2/server is there, and process 8 is rke2',
  ],
])('mayTakeOver() refuses a node of the control plane without force, by %s', async (_, tree, sign) => {
  const {socket} = await served()
  expect(await refused(socket, {}, tree)).toBe(
    `5 this must be no node of the control plane: ${sign} | choose a worker, or say --force: a fault here can take the cluster down`,
  )
  expect(await ask(socket, {force: true}, tree)).toMatchObject({socket})
})

test('mayTakeOver() takes agents and workers for what they are', async () => {
  const {socket} = await served()
  const processes = [
    {pid: 7, name: 'k3s-agent', args: []},
    {pid: 8, name: 'hyperkube', args: ['/hyperkube', 'kubelet']},
    {pid: 9, name: 'kubelet', args: ['kubelet']},
  ]
  expect(
    await ask(socket, {}, {processes, files: {'/var/lib/rancher/k3s/agent/x': '', '/var/lib/rancher/rke2/server/db': ''}}),
  ).toMatchObject({socket})
})

test('mayTakeOver() refuses what was taken over already, here or with journals elsewhere', async () => {
  const {socket} = await served()
  const journals = tempDir()
  const path = await createJournal(journals, journalOf(socket))
  expect(await refused(socket, {journals})).toContain('5 nobody else must have it: process 4711 had it before the node started anew')
  rmSync(path)
  expect(await ask(socket, {journals})).toMatchObject({socket})
  const side = join(dirname(socket), `.kubelimbo-${journalId(socket)}`)
  await deadSocket(side)
  expect(await refused(socket, {journals})).toBe(
    `5 nobody else must have it: ${side} is there, which another takeover made | kubelimbo restore --journals DIR, with the folder of its journal`,
  )
})

test('mayTakeOver() has a socket of ours that was left behind given back first, though nobody listens there', async () => {
  const folder = tempDir()
  const socket = join(folder, 'dead.sock')
  await deadSocket(socket)
  const journals = tempDir()
  await createJournal(journals, journalOf(socket))
  expect(await refused(socket, {journals})).toContain('| kubelimbo restore gives it back')
})

test('parseTakenSocket() takes a path, and nothing that has none', () => {
  expect(parseTakenSocket(' unix:///run/a.sock ', '--socket')).toBe('/run/a.sock')
  expect(parseTakenSocket('/run/a.sock', '--socket')).toBe('/run/a.sock')
  expect(() => parseTakenSocket('@csi', '--socket')).toThrow(
    'Cannot take @csi over as it must be a unix socket with a path: an abstract one has none',
  )
  expect(() => parseTakenSocket('tcp:127.0.0.1:7000', '--socket')).toThrow('it must be a unix socket with a path: it is a port')
  expect(() => parseTakenSocket('a.sock', '--socket')).toThrow('Cannot use --socket as it must be the address of a unix socket')
})
