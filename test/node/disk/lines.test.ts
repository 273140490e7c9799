import fc from 'fast-check'
import {expect, test} from 'vitest'
import {lineSplitter} from '../../../src/node/disk/lines.ts'

test('lineSplitter hands on the same lines however they come', () => {
  const line = fc.string({unit: 'binary'}).map((text) => text.replaceAll('\n', ''))
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.nat({max: 20})), (lines, cuts) => {
      const found: string[] = []
      const take = lineSplitter((each) => found.push(each))
      let text = lines.map((each) => `${each}\n`).join('')
      for (const cut of cuts) {
        take(text.slice(0, cut))
        text = text.slice(cut)
      }
      take(text)
      expect(found).toEqual(lines)
    }),
  )
})

test('lineSplitter ends a line at no other sign', () => {
  const found: string[] = []
  lineSplitter((each) => found.push(each))('a\u2028b\rc\u0085d\ne')
  expect(found).toEqual(['a\u2028b\rc\u0085d'])
})
