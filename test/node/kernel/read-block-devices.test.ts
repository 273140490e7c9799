import {expect, test} from 'vitest'
import {readBlockDevices} from '../../../src/node/kernel/read-block-devices.ts'
import {hostTree} from '../../support/host-tree.ts'

test('readBlockDevices reads each device, and the file behind a loop device as the kernel writes it', async () => {
  const virtual = '/sys/devices/virtual/block'
  const {host} = await hostTree({
    links: {
      '/sys/dev/block/8:0': '../../devices/pci0000:00/block/sda',
      '/sys/dev/block/8:1': '../../devices/pci0000:00/block/sda/sda1',
      '/sys/dev/block/253:3': '../../devices/virtual/block/dm-3',
      '/sys/dev/block/7:0': '../../devices/virtual/block/loop0',
      '/sys/dev/block/7:1': '../../devices/virtual/block/loop1',
      '/sys/dev/block/7:2': '../../devices/virtual/block/loop2',
      '/sys/dev/block/7:3': '../../devices/virtual/block/loop3',
    },
    files: {
      [`${virtual}/loop0/loop/backing_file`]: '/data/vol 1.img\n',
      [`${virtual}/loop1/loop/backing_file`]: '/ (deleted)\n',
      [`${virtual}/loop2/size`]: '0\n',
      [`${virtual}/loop3/loop/backing_file`]: '\n',
      '/sys/dev/block/README': 'not a device',
    },
  })
  expect(await readBlockDevices(host)).toEqual({
    state: 'read',
    value: [
      {device: '253:3', name: 'dm-3'},
      {device: '7:0', name: 'loop0', backingFile: '/data/vol 1.img'},
      {device: '7:1', name: 'loop1', backingFile: '/ (deleted)'},
      {device: '7:2', name: 'loop2'},
      {device: '7:3', name: 'loop3'},
      {device: '8:0', name: 'sda'},
      {device: '8:1', name: 'sda1'},
    ],
  })
})

test('readBlockDevices says why it could not look', async () => {
  const {host} = await hostTree({})
  expect(await readBlockDevices(host)).toEqual({state: 'failed', why: expect.stringContaining('ENOENT') as string})
})
