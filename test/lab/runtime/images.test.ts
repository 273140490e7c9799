import {expect, test} from 'vitest'
import {images, labImage} from '../../../src/lab/runtime/images.ts'

test.each<[string, string, string]>([
  ['busybox', 'busybox:latest', 'the tag may be left out'],
  ['busybox', 'docker.io/library/busybox:latest', 'the registry may be left out'],
  ['docker.io/library/busybox:1', 'busybox:1', 'the registry may be named'],
  ['quay.io/a/b:1', 'quay.io/a/b:1', 'another registry'],
  ['localhost/b', 'localhost/b:latest', 'localhost is a registry'],
  ['host:5000/b', 'host:5000/b:latest', 'a port is no tag'],
  ['a/b@sha256:11', 'docker.io/a/b@sha256:11', 'a digest'],
  ['a/b:1@sha256:11', 'a/b@sha256:11', 'a digest wins over a tag'],
])('images() that pulled %s have %s: %s', (pulled, asked) => {
  const store = images()
  expect(store.present(asked)).toBe(false)
  store.pulled(pulled)
  expect(store.get(asked)).toEqual(store.get(pulled))
  expect(store.present(asked)).toBe(true)
})

test('images() have one image for a repository, whatever the tag, the digest and the registry', () => {
  const store = images()
  for (const image of ['quay.io/a/b:1', 'ghcr.io/a/b:2', 'quay.io/a/b@sha256:11', 'quay.io/a/c:1']) store.pulled(image)
  const [lab, both, other] = store.list()
  expect(lab?.repoTags).toEqual([`docker.io/${labImage}`])
  expect(both?.repoTags).toEqual(['quay.io/a/b:1', 'ghcr.io/a/b:2'])
  expect(both?.repoDigests).toEqual([
    expect.stringMatching(/^quay\.io\/a\/b@sha256:[0-9a-f]{64}$/),
    expect.stringMatching(/^ghcr\.io\/a\/b@sha256:[0-9a-f]{64}$/),
    'quay.io/a/b@sha256:11',
  ])
  expect(other?.id).not.toBe(both?.id)
  expect([lab?.pinned, both?.pinned]).toEqual([true, false])
})

test('images() know an image by its id and by a start of it that is its own', () => {
  const store = images()
  store.pulled('a')
  const {id = ''} = store.get('a') ?? {}
  const hex = id.slice('sha256:'.length)
  expect([id, hex, hex.slice(0, 12)].map((each) => store.get(each)?.id)).toEqual([id, id, id])
  for (let index = 0; index < 16; index++) store.pulled(`b/${index}`)
  // Of 18 ids two start alike.
  const ids = store.list().map((each) => each.id.slice('sha256:'.length))
  const shared = ids.map(([first = '']) => first).find((first, index, all) => all.indexOf(first) !== index) ?? ''
  expect(store.get(shared)).toBeUndefined()
})

test('images() forget an image with all its names', () => {
  const store = images()
  store.pulled('a:1')
  store.pulled('a:2')
  const {id = ''} = store.get('a:1') ?? {}
  store.remove('a:2')
  expect(['a:1', 'a:2', id].map(store.present)).toEqual([false, false, false])
  store.remove('a:2')
  expect(store.list()).toHaveLength(1)
})
