import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {parse} from 'yaml'
import {type Json, yaml} from '../../src/render/yaml.ts'

describe('yaml()', () => {
  test('writes blocks, and quotes what could be something else', () => {
    expect(
      yaml({
        items: [{id: 'a1', createdAt: '17', labels: {}, on: 'yes', image: 'docker.io/busybox:1.36'}, {nested: ['x', ['z']]}],
        none: [],
      }),
    ).toBe(
      [
        'items:',
        '- id: a1',
        '  createdAt: "17"',
        '  labels: {}',
        '  "on": "yes"',
        '  image: docker.io/busybox:1.36',
        '- nested:',
        '  - x',
        '  - - z',
        'none: []',
        '',
      ].join('\n'),
    )
  })

  test('reads back as the same, by YAML 1.2 and by YAML 1.1', () => {
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
    const {tree} = fc.letrec<{tree: Json; block: Json}>((tie) => ({
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
    fc.assert(
      fc.property(tree, (value) => {
        expect(parse(yaml(value))).toEqual(value)
        expect(parse(yaml(value), {version: '1.1', merge: false})).toEqual(value)
      }),
    )
  })

  test('lets no control reach a terminal', () => {
    fc.assert(
      fc.property(fc.string({unit: 'binary'}), (text) => {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
        expect(yaml({[text]: text})).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]/)
      }),
    )
  })
})
