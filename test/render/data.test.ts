import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {parse} from 'yaml'
import {dataText} from '../../src/render/data.ts'

describe('dataText()', () => {
  test('writes blocks, and quotes what could be something else', async () => {
    expect(
      await dataText(
        {
          items: [{id: 'a1', createdAt: '17', labels: {}, on: 'yes', image: 'example.test/busybox:1.36'}, {nested: ['x', ['z']]}],
          none: [],
        },
        'yaml',
      ),
    ).toBe(
      [
        'items:',
        '- id: a1',
        '  createdAt: "17"',
        '  labels: {}',
        '  "on": "yes"',
        '  image: example.test/busybox:1.36',
        '- nested:',
        '  - x',
        '  - - z',
        'none: []',
        '',
      ].join('\n'),
    )
  })

  test('reads back as the same, by YAML 1.2 and by YAML 1.1', async () => {
    const odd = fc.constantFrom(
      'yes',
      'No',
      'on',
      'null',
      '~',
      '1e3',
      '0o17',
      '017',
      '12:30:45',
      '.inf',
      '-',
      '- a',
      'a: b',
      'a #b',
      '',
      ' a',
      '0x1f',
      '<<',
      '=',
      '\u0085',
      '\u2028',
      '2026-11-30',
      'y',
    )
    const text = fc.oneof(odd, fc.string(), fc.string({unit: 'grapheme'}))
    const {tree} = fc.letrec<{tree: unknown; block: unknown}>((tie) => ({
      tree: fc.oneof({maxDepth: 4}, text, fc.integer(), fc.boolean(), fc.constant(null), tie('block')),
      block: fc.oneof(
        fc.array(tie('tree'), {maxLength: 3}),
        fc.dictionary(
          text.filter((key) => key !== '__proto__'),
          tie('tree'),
          {maxKeys: 3, noNullPrototype: true},
        ),
      ),
    }))
    await fc.assert(
      fc.asyncProperty(tree, async (value) => {
        expect(parse(await dataText(value, 'yaml'))).toEqual(value)
        expect(parse(await dataText(value, 'yaml'), {version: '1.1', merge: false})).toEqual(value)
      }),
    )
  })

  test('lets no control reach a terminal', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({unit: 'binary'}), async (text) => {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
        expect(await dataText({[text]: text}, 'yaml')).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]/)
      }),
    )
  })
})
