import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {capturedLists, wholeId} from '../../src/node/cri-captured.ts'
import {absent, read} from '../../src/node/reading.ts'
import type {Container, PodSandbox} from '../../src/wire/gen/cri_pb.ts'
import {anyContainer, anySandbox, container, sandbox} from '../support/cri-messages.ts'

const lists = (sandboxes: readonly PodSandbox[], containers: readonly Container[] = []) =>
  capturedLists({'runtime.sandboxes': read(sandboxes), 'runtime.containers': read(containers)})

describe('capturedLists()', () => {
  test('returns everything without a filter, and what was not captured as such', async () => {
    expect(await lists([sandbox({id: 'a'})]).sandboxes()).toMatchObject({value: [{id: 'a'}]})
    const none = capturedLists({'runtime.sandboxes': absent('not captured'), 'runtime.containers': absent('not captured')})
    expect(await none.sandboxes()).toEqual(absent('not captured'))
    expect(await none.containers()).toEqual(absent('not captured'))
    expect(await none.imageId('x')).toEqual(absent('not captured'))
  })

  test('keeps a list that is incomplete so', async () => {
    const some = capturedLists({'runtime.sandboxes': read([sandbox({id: 'a'})], 'cut'), 'runtime.containers': read([])})
    expect(await some.sandboxes({id: 'a'})).toMatchObject({incomplete: 'cut'})
  })

  test("takes the beginning of a pod's id for the containers of it", async () => {
    const all = lists([sandbox({id: 'abc'})], [container({id: '1', podSandboxId: 'abc'}), container({id: '2', podSandboxId: 'xyz'})])
    expect(await all.containers({sandboxId: 'ab'})).toMatchObject({value: [{id: '1'}]})
  })

  test('knows images by all names that containers use', async () => {
    const all = lists([], [container({image: {image: 'sha256:1', userSpecifiedImage: 'busybox:1'}, imageRef: 'sha256:1'})])
    for (const name of ['sha256:1', 'busybox:1']) expect(await all.imageId(name)).toEqual(read('sha256:1'))
    expect(await all.imageId('nginx')).toEqual(read(undefined))
    expect(await all.imageId('')).toEqual(read(undefined))
  })

  const filter = fc.record(
    {
      id: fc.string({unit: fc.constantFrom(...'ab01'), minLength: 1, maxLength: 3}),
      state: fc.integer({min: 0, max: 3}).map((state) => state as 0 | 1),
      labels: fc.dictionary(fc.constantFrom('app', 'tier', 'constructor'), fc.constantFrom('web', 'db')),
    },
    {requiredKeys: []},
  )

  test('lets through exactly what meets every part of the filter', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anySandbox), fc.array(anyContainer), filter, async (sandboxes, containers, filter) => {
        for (const [all, reading] of [
          [sandboxes, await lists(sandboxes, containers).sandboxes(filter)],
          [containers, await lists(sandboxes, containers).containers(filter)],
        ] as const) {
          const id =
            filter.id &&
            wholeId(
              filter.id,
              all.map((item) => item.id),
            )
          const expected = all.filter(
            (item) =>
              (id === undefined || item.id === id) &&
              (filter.state === undefined || item.state === filter.state) &&
              Object.entries(filter.labels ?? {}).every(([key, value]) => new Map(Object.entries(item.labels)).get(key) === value),
          )
          expect(reading).toEqual(read(expected))
        }
      }),
    )
  })
})

describe('wholeId()', () => {
  test.for([
    ['ab', ['abc', 'xyz'], 'abc'],
    ['ab', ['abc', 'abd'], 'ab'],
    ['ab', ['ab', 'abc'], 'ab'],
    ['ab', ['abc', 'abc'], 'abc'],
    ['q', ['abc'], 'q'],
  ] as const)('makes %j of %j: %j', ([id, ids, expected]) => {
    expect(wholeId(id, ids)).toBe(expected)
  })
})
