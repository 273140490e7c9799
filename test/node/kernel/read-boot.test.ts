import {expect, test} from 'vitest'
import {readBoot} from '../../../src/node/kernel/read-boot.ts'
import {hostTree} from '../../support/host-tree.ts'

const id = '6f5f2c3e-2a8e-4f7b-9d2e-0c5a1f0b7e11'

test.each<[string, Record<string, string>, object]>([
  [
    'the boot and its time',
    {'/proc/sys/kernel/random/boot_id': `${id}\n`, '/proc/stat': 'cpu  1 2\nbtime 1796013377\nprocesses 5\n'},
    {state: 'read', value: {id, at: 1_796_013_377_000}},
  ],
  [
    'a machine whose clock said 1970 when it started',
    {'/proc/sys/kernel/random/boot_id': `${id}\n`, '/proc/stat': 'btime 0\n'},
    {state: 'read', value: {id, at: 0}},
  ],
  [
    'no btime',
    {'/proc/sys/kernel/random/boot_id': `${id}\n`, '/proc/stat': 'cpu  1 2\n'},
    {state: 'failed', why: '/proc/stat has no line of btime'},
  ],
  [
    'no id',
    {'/proc/sys/kernel/random/boot_id': '\n', '/proc/stat': 'btime 1\n'},
    {state: 'failed', why: '/proc/sys/kernel/random/boot_id is empty'},
  ],
  ['nothing', {}, {state: 'failed', why: expect.stringContaining('ENOENT') as string}],
])('readBoot reads %s', async (_, files, expected) => {
  const {host} = await hostTree({files})
  expect(await readBoot(host)).toEqual(expected)
})
