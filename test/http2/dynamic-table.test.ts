import fc from 'fast-check'
import {expect, test} from 'vitest'
import {DynamicTable} from '../../src/http2/dynamic-table.ts'
import type {HeaderField} from '../../src/http2/header-field.ts'

const field = (name: string, value = ''): HeaderField => ({name, value})

test('DynamicTable counts 32 octets beside name and value, as RFC 7541, C.2.1 does', () => {
  const table = new DynamicTable(4096)
  table.add(field('custom-key', 'custom-header'))
  expect(table.size).toBe(55)
})

test('DynamicTable holds what fits to the octet, and drops the oldest first', () => {
  const table = new DynamicTable(66)
  table.add(field('a'))
  table.add(field('b'))
  expect([table.at(0)?.name, table.at(1)?.name, table.at(2)]).toEqual(['b', 'a', undefined])
  table.add(field('c'))
  expect([table.at(0)?.name, table.at(1)?.name, table.at(2)]).toEqual(['c', 'b', undefined])
  table.resize(65)
  expect([table.at(0)?.name, table.at(1), table.size]).toEqual(['c', undefined, 33])
})

test('DynamicTable is emptied by a field that is larger than it', () => {
  const table = new DynamicTable(40)
  table.add(field('a'))
  table.add(field('b'.repeat(9)))
  expect([table.at(0), table.size]).toEqual([undefined, 0])
})

test('DynamicTable is a list from which the oldest go, whatever is done to it', () => {
  const step = fc.oneof(fc.record({add: fc.nat(60)}), fc.record({resize: fc.nat(300)}))
  fc.assert(
    fc.property(fc.array(step, {maxLength: 300}), (steps) => {
      const table = new DynamicTable(200)
      let list: HeaderField[] = []
      let max = 200
      for (const [turn, one] of steps.entries()) {
        if ('add' in one) {
          const added = field(String(turn), 'x'.repeat(one.add))
          table.add(added)
          list.unshift(added)
        } else {
          max = one.resize
          table.resize(max)
        }
        const sizeOf = (part: readonly HeaderField[]) => part.reduce((sum, {name, value}) => sum + name.length + value.length + 32, 0)
        while (sizeOf(list) > max) list = list.slice(0, -1)
        expect(table.size).toBe(sizeOf(list))
        for (let index = 0; index <= list.length; index++) expect(table.at(index)).toBe(list[index])
      }
    }),
  )
})
