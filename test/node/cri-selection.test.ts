import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {podLabel, select} from '../../src/node/cri-selection.ts'
import {anySandbox, container, sandbox} from '../support/cri-messages.ts'

const pod = (name: string, createdAt = 0n) => sandbox({id: name, metadata: {name, namespace: 'default'}, createdAt})
const ids = (items: readonly {id: string}[]) => items.map(({id}) => id)
const namespaceOf = ({metadata}: ReturnType<typeof sandbox>) => metadata?.namespace ?? ''

describe('select()', () => {
  test('puts the newest first, and leaves equal ones in their order', () => {
    expect(ids(select([pod('a', 1n), pod('b', 3n), pod('c', 1n), pod('d', -5n)], {}, namespaceOf).items)).toEqual(['b', 'a', 'c', 'd'])
  })

  test.for([
    [{}, 3],
    [{latest: true}, 1],
    [{last: 2}, 2],
    [{last: 0}, 3],
    [{last: -1}, 3],
    [{last: 9}, 3],
    [{latest: true, last: 2}, 2],
    [{latest: true, last: 0}, 1],
  ] as const)('keeps with %j of three: %d', ([selection, count]) => {
    expect(select([pod('a'), pod('b'), pod('c')], selection, namespaceOf).items).toHaveLength(count)
  })

  test('matches names and namespaces anywhere', () => {
    expect(ids(select([pod('web-0'), pod('db-0')], {name: /eb/, namespace: /^def/}, namespaceOf).items)).toEqual(['web-0'])
  })

  test('counts what has no metadata', () => {
    expect(select([pod('a'), sandbox({id: 'x'})], {}, namespaceOf)).toMatchObject({items: [{id: 'a'}], withoutMetadata: 1})
  })

  test('loses nothing that has metadata', () => {
    fc.assert(
      fc.property(fc.array(anySandbox), (items) => {
        const {items: kept, withoutMetadata} = select(items, {}, namespaceOf)
        expect(kept.length + withoutMetadata).toBe(items.length)
        expect(kept.every((item, index) => index === 0 || (kept[index - 1]?.createdAt ?? 0n) >= item.createdAt)).toBe(true)
      }),
    )
  })
})

test("podLabel() says 'unknown' where there is no such label, as crictl does", () => {
  expect(podLabel(container({labels: {'io.kubernetes.pod.name': 'web-0'}}), 'name')).toBe('web-0')
  expect(podLabel(container(), 'namespace')).toBe('unknown')
})
