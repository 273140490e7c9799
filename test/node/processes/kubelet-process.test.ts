import {readlinkSync} from 'node:fs'
import {expect, test} from 'vitest'
import {seenKubelet} from '../../../src/node/processes/kubelet-process.ts'
import {hostTree} from '../../support/host-tree.ts'

const stat = (state = 'S') => `812 (kubelet) ${state} 1 7 7 0 -1 4194560 1 0 0 0 3 2 0 0 20 0 1 0 6000 1000 200\n`
const kubelet = {process: {pid: 812, program: 'kubelet'}, certain: true} as const
const ours = readlinkSync('/proc/self/ns/net')

async function seen(
  files: Readonly<Record<string, string>>,
  links: Readonly<Record<string, string>> = {},
  bootedAt: number | undefined = 1_000_000,
) {
  const {host} = await hostTree({files, links})
  return seenKubelet(host, kubelet, bootedAt)
}

test('seenKubelet() tells since when it runs, and that its ports are ours', async () => {
  expect(await seen({'/proc/812/stat': stat()}, {'/proc/812/ns/net': ours})).toEqual({
    pid: 812,
    program: 'kubelet',
    startedAt: 1_060_000,
    sameNetwork: true,
    certain: true,
  })
})

test('seenKubelet() tells that it has another network', async () => {
  expect(await seen({'/proc/812/stat': stat()}, {'/proc/812/ns/net': 'net:[1]'})).toMatchObject({sameNetwork: false})
})

test('seenKubelet() does not guess what it cannot read', async () => {
  const {host} = await hostTree({files: {'/proc/812/stat': stat()}})
  expect(seenKubelet(host, {...kubelet, certain: false}, undefined)).toEqual({pid: 812, program: 'kubelet', certain: false})
})

test.each<[string, Readonly<Record<string, string>>]>([
  ['has ended by now', {}],
  ['is a zombie', {'/proc/812/stat': stat('Z')}],
  ['cannot be read', {'/proc/812/stat': '812 (kub'}],
])('seenKubelet() sees none that %s', async (_what, files) => {
  expect(await seen(files)).toBe(undefined)
})

test('seenKubelet() sees none where none runs', async () => {
  const {host} = await hostTree({})
  expect(seenKubelet(host, {process: undefined, certain: true}, 1)).toBe(undefined)
})
