import fc from 'fast-check'
import {expect, test} from 'vitest'
import {table} from '../../src/lab/table.ts'

interface Row {
  readonly id: string
  readonly group: string
  readonly value: number
}

const step = fc.record({
  what: fc.constantFrom('set', 'delete', 'list'),
  id: fc.constantFrom('a', 'b', 'c', 'd'),
  value: fc.nat(),
})

test('table() lists what was set, all and by group, frozen, and the same list while nothing changed', () => {
  fc.assert(
    fc.property(fc.array(step, {maxLength: 40}), (steps) => {
      const rows = table<Row>(({group}) => group)
      const model = new Map<string, Row>()
      let last: readonly Row[] | undefined
      for (const {what, id, value} of steps) {
        const group = id < 'c' ? 'x' : 'y'
        if (what === 'set') {
          rows.set(id, {id, group, value})
          model.set(id, {id, group, value})
          last = undefined
        } else if (what === 'delete') {
          rows.delete(id)
          if (model.delete(id)) last = undefined
        } else {
          const list = rows.list()
          if (last !== undefined) expect(list).toBe(last)
          last = list
          expect(Object.isFrozen(list)).toBe(true)
          expect(list).toEqual([...model.values()])
          for (const name of ['x', 'y']) expect(rows.listOf(name)).toEqual([...model.values()].filter((row) => row.group === name))
          expect(rows.get(id)).toEqual(model.get(id))
        }
      }
    }),
  )
})
