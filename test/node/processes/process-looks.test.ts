import {expect, test} from 'vitest'
import type {ContainerProcess} from '../../../src/node/kernel/facts.ts'
import {livingContainers, processLooks} from '../../../src/node/processes/process-looks.ts'
import {absent, read} from '../../../src/node/reading.ts'
import {hostTree} from '../../support/host-tree.ts'

const stat = (pid: number, ticks: number) => `${pid} (x) S 1 7 7 0 -1 4194560 1 0 0 0 3 2 0 0 20 0 1 0 ${ticks} 1000 200\n`
const machine = 'pid:[4026531836]'
const container = 'pid:[4026532210]'
const boot = read({id: 'b', at: 1_000_000})
const init = {'/proc/1/stat': stat(1, 1), '/proc/1/cgroup': '0::/init.scope\n'}
const app = {'/proc/20/stat': stat(20, 100), '/proc/20/cgroup': '0::/x\n'}
const there = {state: 'there', startedAt: 1_001_000}

interface Given {
  readonly files?: Readonly<Record<string, string>>
  readonly links?: Readonly<Record<string, string>>
  readonly kubelet?: number
}

async function looks(
  {files = {...init, ...app}, links = {'/proc/1/ns/pid': machine}, kubelet}: Given,
  at: typeof boot | ReturnType<typeof absent> = boot,
) {
  const {host} = await hostTree({files, links})
  return processLooks(host, at, kubelet)
}

test('processLooks() looks at pids of the machine', async () => {
  const look = await looks({})
  expect([look?.(20), look?.(21)]).toEqual([there, {state: 'gone'}])
})

test('processLooks() looks at pids of a node that is a container, from within', async () => {
  const look = await looks({links: {'/proc/1/ns/pid': container, '/proc/812/ns/pid': container}, kubelet: 812})
  expect(look?.(20)).toEqual(there)
})

test('processLooks() looks at pids of the machine whose process 1 does not tell its namespace', async () => {
  const look = await looks({links: {'/proc/812/ns/pid': machine}, kubelet: 812})
  expect([look?.(20), look?.(21)]).toEqual([there, {state: 'gone'}])
})

test.each<[string, Given]>([
  ['that may be those of a container', {links: {'/proc/1/ns/pid': container}}],
  [
    'where the kubelet counts in another namespace: the node is a container, seen from outside',
    {links: {'/proc/1/ns/pid': machine, '/proc/812/ns/pid': container}, kubelet: 812},
  ],
  ['where nobody tells in which namespace the kubelet counts', {links: {'/proc/1/ns/pid': machine}, kubelet: 812}],
  ['of whom we see our own alone (hidepid)', {files: app}],
  ['of whom the first cannot be read', {files: {...app, '/proc/1/stat': '1 (x'}}],
])('processLooks() looks at no pids %s', async (_what, given) => {
  expect(await looks(given)).toBe(undefined)
})

test('processLooks() looks at no pids where nobody knows when the node booted', async () => {
  expect(await looks({}, absent('no /proc/stat'))).toBe(undefined)
})

test('livingContainers() has those with a process that is neither dead nor a zombie', () => {
  const of = (containerId: string, state: string): ContainerProcess => ({pid: 1, startedAt: 0, state, cgroup: '/', containerId})
  const none: ContainerProcess = {pid: 1, startedAt: 0, state: 'S', cgroup: '/'}
  expect(livingContainers(read([of('a', 'S'), of('b', 'Z'), of('c', 'X'), of('d', 'D'), of('b', 'R'), none], 'hidden'))).toEqual(
    new Set(['a', 'd', 'b']),
  )
  expect(livingContainers(absent('not read'))).toEqual(new Set())
})
