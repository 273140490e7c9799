import {describe, expect, test} from 'vitest'
import {realPath, within, withinButLast} from '../../src/node/rooted.ts'
import {type HostTree, hostTree} from '../support/host-tree.ts'

const links: HostTree = {
  links: {
    '/proc/9/root/var/run': '/run',
    '/proc/9/root/pki/current.pem': '/pki/2026.pem',
    '/proc/9/root/up': '../../../../etc',
    '/proc/9/root/a': 'b',
    '/proc/9/root/b': 'a',
    '/proc/9/root/chain': 'up/x',
  },
}

describe('realPath()', () => {
  test.for([
    ['/pki/current.pem', '/pki/2026.pem'],
    ['/var/run/x/y', '/run/x/y'],
    ['/not/there', '/not/there'],
    ['/up/passwd', '/etc/passwd'],
    ['/chain', '/etc/x'],
    ['/../..//./etc/', '/etc'],
    ['/', '/'],
  ])('follows %s within the root to %s', async ([path = '', real]) => {
    const {host} = await hostTree(links)
    expect(await realPath(host, '/proc/9/root', path)).toBe(real)
  })

  test('ends where links lead round and round', async () => {
    const {host} = await hostTree(links)
    await expect(realPath(host, '/proc/9/root', '/a/x')).rejects.toThrow('too many links in /a/x')
  })
})

test('within() and withinButLast() put the root before it', async () => {
  const {host} = await hostTree(links)
  expect(await within(host, '/proc/9/root', '/pki/current.pem')).toBe('/proc/9/root/pki/2026.pem')
  expect(await withinButLast(host, '/proc/9/root', '/pki/current.pem')).toBe('/proc/9/root/pki/current.pem')
  expect(await withinButLast(host, '/proc/9/root', '/x')).toBe('/proc/9/root/x')
})
