import {expect, test} from 'vitest'
import {lookAtProcess} from '../../../src/node/runtime/look-at-process.ts'
import {hostTree} from '../../support/host-tree.ts'

const id = 'f29e3a3d4d20a5c6e4f7c5b8a9101112131415161718191a1b1c1d1e1f202122'
const stat = (state: string, ticks = 250) => `20 (my (odd) app) ${state} 1 7 7 0 -1 4194560 1 0 0 0 3 2 0 0 20 0 1 0 ${ticks} 1000 200\n`
const cgroup = {'/proc/20/cgroup': `0::/k8s.io/${id}\n`}

test.each<[string, Readonly<Record<string, string>>, object | undefined]>([
  ['one that runs', {...cgroup, '/proc/20/stat': stat('S')}, {state: 'there', startedAt: 1_002_500, containerId: id}],
  ['one that hangs in the kernel', {...cgroup, '/proc/20/stat': stat('D')}, {state: 'there', startedAt: 1_002_500, containerId: id}],
  [
    'one of the node',
    {'/proc/20/cgroup': '0::/system.slice/sshd.service\n', '/proc/20/stat': stat('S')},
    {state: 'there', startedAt: 1_002_500},
  ],
  ['none', {'/proc/21/stat': stat('S')}, {state: 'gone'}],
  ['one that went between two reads', {'/proc/20/stat': stat('S')}, {state: 'gone'}],
  ['a zombie', {...cgroup, '/proc/20/stat': stat('Z'), '/proc/20/task/20/comm': 'app'}, {state: 'zombie'}],
  ['a dead one', {...cgroup, '/proc/20/stat': stat('X')}, {state: 'zombie'}],
  [
    'one whose first thread has ended, and another lives',
    {...cgroup, '/proc/20/stat': stat('Z'), '/proc/20/task/20/comm': 'app', '/proc/20/task/23/comm': 'app'},
    {state: 'there', startedAt: 1_002_500, containerId: id},
  ],
  ['a torn file', {...cgroup, '/proc/20/stat': '20 (app'}, undefined],
  ['what cannot be read', {'/proc/20/stat/x': ''}, undefined],
])('lookAtProcess() of %s', async (_what, files, expected) => {
  const {host} = await hostTree({files})
  expect(lookAtProcess(host, 20, 1_000_000)).toEqual(expected)
})
