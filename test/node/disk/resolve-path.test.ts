import {expect, test} from 'vitest'
import {resolvePath} from '../../../src/node/disk/resolve-path.ts'

/** Targets by path; what is not named is a directory, a target of undefined is not there. */
const resolve = (path: string, links: Readonly<Record<string, string | undefined>>) =>
  resolvePath(path, async (each) => {
    if (!Object.hasOwn(links, each)) return {facts: {type: 'directory', mode: 0o755, size: 0}}
    const target = links[each]
    return target === undefined ? {code: 'ENOENT'} : {facts: {type: 'link', mode: 0o777, size: 0, target}}
  })

test.each<[string, string, Record<string, string>, string]>([
  ['no link', '/var/lib/kubelet', {}, '/var/lib/kubelet'],
  ['an absolute link', '/var/lib/kubelet', {'/var/lib/kubelet': '/data/kubelet'}, '/data/kubelet'],
  ['a relative link', '/var/lib/kubelet', {'/var/lib/kubelet': '../../data/./kubelet/'}, '/data/kubelet'],
  ['a chain of links', '/var/lib/kubelet', {'/var': '/v', '/v/lib/kubelet': '/a', '/a': 'b/c'}, '/b/c'],
  ['more steps up than there are', '/k', {'/k': '../../../x'}, '/x'],
  ['a link to the root', '/k', {'/k': '/'}, '/'],
  ['slashes that are too many', '//var///lib/kubelet/', {}, '/var/lib/kubelet'],
])('resolvePath follows %s', async (_, path, links, real) => {
  expect(await resolve(path, links)).toEqual({path: real})
})

test('resolvePath ends where a link leads in a circle', async () => {
  expect(await resolve('/a', {'/a': '/b', '/b': '/a'})).toEqual({path: expect.stringMatching(/^\/[ab]$/) as string, code: 'ELOOP'})
})

test('resolvePath says what is not there', async () => {
  expect(await resolve('/var/lib/kubelet', {'/var/lib': '/data', '/data': undefined})).toEqual({path: '/data', code: 'ENOENT'})
})
