import {expect, test} from 'vitest'
import {readContainerProcesses} from '../../../src/node/processes/read-container-processes.ts'
import {hostTree} from '../../support/host-tree.ts'

const id = 'f29e3a3d4d20a5c6e4f7c5b8a9101112131415161718191a1b1c1d1e1f202122'
const stat = (pid: number, name: string, state: string, ticks: number) =>
  `${pid} (${name}) ${state} 1 7 7 0 -1 4194560 1 0 0 0 3 2 0 0 20 0 1 0 ${ticks} 1000 200\n`
const boot = {'/proc/stat': 'btime 1000\n', '/proc/sys/kernel/random/boot_id': 'b\n'}
const init = {'/proc/1/cgroup': '0::/init.scope\n', '/proc/1/stat': stat(1, 'systemd', 'S', 1)}
const machine = {'/proc/1/ns/pid': 'pid:[4026531836]'}

test('readContainerProcesses finds the processes of containers, with their states and start times', async () => {
  const {host} = await hostTree({
    links: machine,
    files: {
      ...boot,
      ...init,
      '/proc/20/cgroup': `0::/k8s.io/${id}\n`,
      '/proc/20/stat': stat(20, 'my (odd) app', 'D', 250),
      '/proc/9/cgroup': `0::/kubepods/pod524a0e18-06a9-41fb-ac5a-b155004732e3/${id}\n`,
      '/proc/9/stat': stat(9, 'pause', 'Z', 100),
      '/proc/11/cgroup': `0::/k8s.io/${id}\n`,
      '/proc/12/comm': 'ended\n',
      '/proc/acpi/x': '',
    },
  })
  expect(await readContainerProcesses(host)).toEqual({
    state: 'read',
    value: [
      {
        pid: 9,
        startedAt: 1_001_000,
        state: 'Z',
        cgroup: `/kubepods/pod524a0e18-06a9-41fb-ac5a-b155004732e3/${id}`,
        podUid: '524a0e18-06a9-41fb-ac5a-b155004732e3',
        containerId: id,
      },
      {pid: 20, startedAt: 1_002_500, state: 'D', cgroup: `/k8s.io/${id}`, containerId: id},
    ],
  })
})

test('readContainerProcesses does not vouch for a /proc that may be that of a container, unless the kubelet is there', async () => {
  const {host} = await hostTree({links: {'/proc/1/ns/pid': 'pid:[4026532210]'}, files: {...boot, ...init}})
  expect(await readContainerProcesses(host)).toEqual({
    state: 'read',
    value: [],
    incomplete: 'no kubelet is to be seen, and /proc may be that of a container',
  })
  expect(await readContainerProcesses(host, 7)).toEqual({state: 'read', value: []})
})

test('readContainerProcesses says that the processes of others are hidden', async () => {
  const {host} = await hostTree({files: {...boot, '/proc/30/cgroup': '0::/user.slice\n'}})
  expect(await readContainerProcesses(host)).toMatchObject({incomplete: 'the processes of others are hidden from us'})
})

test('readContainerProcesses says why it could not look', async () => {
  const {host} = await hostTree({})
  expect(await readContainerProcesses(host)).toEqual({state: 'failed', why: expect.stringContaining('ENOENT') as string})
})
