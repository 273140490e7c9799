// What the kernel says, against what a real container runtime says of the same containers, and losetup and findmnt of the same machine.
import {truncateSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {execa} from 'execa'
import {expect, test} from 'vitest'
import {nodeHost} from '../../src/node/endpoints/host.ts'
import {readBlockDevices} from '../../src/node/kernel/read-block-devices.ts'
import {readBoot} from '../../src/node/kernel/read-boot.ts'
import {readMounts} from '../../src/node/kernel/read-mounts.ts'
import {readContainerProcesses} from '../../src/node/processes/read-container-processes.ts'
import {known} from '../../src/node/reading.ts'
import {startContainerd} from '../support/containerd.ts'
import {runPod, startContainer} from '../support/crictl-pods.ts'
import {mounted} from '../support/mounts.ts'
import {tempDir} from '../support/socket-dir.ts'

const host = nodeHost({})

test('readContainerProcesses finds each container that crictl knows, by its process', async () => {
  await using rig = await startContainerd()
  const sandbox = await runPod(rig, {name: 'web'})
  const id = await startContainer(rig, sandbox, {name: 'server'})
  const {info, status} = JSON.parse(await rig.crictl('inspect', id))
  const found = known(await readContainerProcesses(host, process.pid)) ?? []
  const [process_] = found.filter(({containerId}) => containerId === id)
  expect(process_).toMatchObject({pid: info.pid, state: 'S'})
  expect(found.some(({containerId}) => containerId === sandbox.id)).toBe(true)
  // The kernel tells its boot in whole seconds.
  expect(Math.abs((process_?.startedAt ?? 0) - Date.parse(status.startedAt))).toBeLessThan(2500)
})

test('readMounts reads the table that findmnt does', async () => {
  const at = join(tempDir(), 'a b')
  await using _mount = await mounted('-t', 'tmpfs', 'a#b', at)
  const mount = known(await readMounts(host, {file: '/proc/self/mountinfo'}))?.find(({mountPoint}) => mountPoint === at)
  const {stdout} = await execa('findmnt', ['--json', '--output', 'ID,FSTYPE,SOURCE,MAJ:MIN', at])
  const [said] = JSON.parse(stdout).filesystems
  expect(mount).toMatchObject({id: said.id, fsType: said.fstype, source: said.source, device: said['maj:min']})
})

test('readBlockDevices reads the file behind a loop device', async () => {
  const file = join(tempDir(), 'disk.img')
  writeFileSync(file, '')
  truncateSync(file, 1 << 20)
  const {stdout: device} = await execa('losetup', ['--find', '--show', file])
  try {
    const devices = known(await readBlockDevices(host))
    expect(devices).toContainEqual({device: expect.stringMatching(/^7:/) as string, name: device.replace('/dev/', ''), backingFile: file})
  } finally {
    await execa('losetup', ['--detach', device])
  }
})

test('readBoot reads which boot this is', async () => {
  expect(await readBoot(host)).toEqual({
    state: 'read',
    value: {id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string, at: expect.any(Number) as number},
  })
})
