import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import type {HeaderField} from '../../src/http2/header-field.ts'
import {HpackDecoder} from '../../src/http2/hpack-decoder.ts'
import {HpackEncoder} from '../../src/http2/hpack-encoder.ts'

const bytes = (hex: string) => Buffer.from(hex.replaceAll(/\s/g, ''), 'hex')
const text = (list: readonly HeaderField[]) => list.map(({name, value}) => `${name}: ${value}`)

/** RFC 7541, Appendix C: blocks of one connection in their order, and what they say. */
const examples: readonly {
  readonly section: string
  readonly tableSize?: number
  readonly blocks: readonly (readonly [hex: string, fields: readonly string[]])[]
}[] = [
  {section: 'C.2.1', blocks: [['400a 6375 7374 6f6d 2d6b 6579 0d63 7573 746f 6d2d 6865 6164 6572', ['custom-key: custom-header']]]},
  {section: 'C.2.2', blocks: [['040c 2f73 616d 706c 652f 7061 7468', [':path: /sample/path']]]},
  {section: 'C.2.3', blocks: [['1008 7061 7373 776f 7264 0673 6563 7265 74', ['password: secret']]]},
  {section: 'C.2.4', blocks: [['82', [':method: GET']]]},
  {
    section: 'C.3',
    blocks: [
      ['8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d', [':method: GET', ':scheme: http', ':path: /', ':authority: www.example.com']],
      [
        '8286 84be 5808 6e6f 2d63 6163 6865',
        [':method: GET', ':scheme: http', ':path: /', ':authority: www.example.com', 'cache-control: no-cache'],
      ],
      [
        '8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65',
        [':method: GET', ':scheme: https', ':path: /index.html', ':authority: www.example.com', 'custom-key: custom-value'],
      ],
    ],
  },
  {
    section: 'C.4',
    blocks: [
      ['8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff', [':method: GET', ':scheme: http', ':path: /', ':authority: www.example.com']],
      [
        '8286 84be 5886 a8eb 1064 9cbf',
        [':method: GET', ':scheme: http', ':path: /', ':authority: www.example.com', 'cache-control: no-cache'],
      ],
      [
        '8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf',
        [':method: GET', ':scheme: https', ':path: /index.html', ':authority: www.example.com', 'custom-key: custom-value'],
      ],
    ],
  },
  {
    section: 'C.5',
    tableSize: 256,
    blocks: [
      [
        `4803 3330 3258 0770 7269 7661 7465 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3120 474d 546e
         1768 7474 7073 3a2f 2f77 7777 2e65 7861 6d70 6c65 2e63 6f6d`,
        [':status: 302', 'cache-control: private', 'date: Mon, 21 Oct 2013 20:13:21 GMT', 'location: https://www.example.com'],
      ],
      [
        '4803 3330 37c1 c0bf',
        [':status: 307', 'cache-control: private', 'date: Mon, 21 Oct 2013 20:13:21 GMT', 'location: https://www.example.com'],
      ],
      [
        `88c1 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3220 474d 54c0 5a04 677a 6970 7738 666f 6f3d 4153
         444a 4b48 514b 425a 584f 5157 454f 5049 5541 5851 5745 4f49 553b 206d 6178 2d61 6765 3d33 3630 303b 2076 6572 7369 6f6e 3d31`,
        [
          ':status: 200',
          'cache-control: private',
          'date: Mon, 21 Oct 2013 20:13:22 GMT',
          'location: https://www.example.com',
          'content-encoding: gzip',
          'set-cookie: foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1',
        ],
      ],
    ],
  },
  {
    section: 'C.6',
    tableSize: 256,
    blocks: [
      [
        `4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6 2d1b ff6e 919d 29ad 1718 63c7 8f0b 97c8
         e9ae 82ae 43d3`,
        [':status: 302', 'cache-control: private', 'date: Mon, 21 Oct 2013 20:13:21 GMT', 'location: https://www.example.com'],
      ],
      [
        '4883 640e ffc1 c0bf',
        [':status: 307', 'cache-control: private', 'date: Mon, 21 Oct 2013 20:13:21 GMT', 'location: https://www.example.com'],
      ],
      [
        `88c1 6196 d07a be94 1054 d444 a820 0595 040b 8166 e084 a62d 1bff c05a 839b d9ab 77ad 94e7 821d d7f2 e6c7 b335 dfdf cd5b 3960
         d5af 2708 7f36 72c1 ab27 0fb5 291f 9587 3160 65c0 03ed 4ee5 b106 3d50 07`,
        [
          ':status: 200',
          'cache-control: private',
          'date: Mon, 21 Oct 2013 20:13:22 GMT',
          'location: https://www.example.com',
          'content-encoding: gzip',
          'set-cookie: foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1',
        ],
      ],
    ],
  },
]

describe('HpackDecoder', () => {
  test.each(examples)('reads the blocks of RFC 7541 $section', ({blocks, tableSize = 4096}) => {
    const decoder = new HpackDecoder({tableSize, maxListSize: 4096})
    for (const [hex, fields] of blocks) {
      const decoded = decoder.decode(bytes(hex))
      expect(decoded.type === 'fields' && text(decoded.fields)).toEqual(fields)
    }
  })

  test('knows the last of the static table from the first of its own', () => {
    const decoder = new HpackDecoder({maxListSize: 4096})
    expect(decoder.decode(bytes('4001 6101 62 bd be'))).toMatchObject({
      fields: [
        {name: 'a', value: 'b'},
        {name: 'www-authenticate', value: ''},
        {name: 'a', value: 'b'},
      ],
    })
  })

  test('keeps that a field is never to be indexed', () => {
    const decoded = new HpackDecoder({maxListSize: 4096}).decode(bytes('1008 7061 7373 776f 7264 0673 6563 7265 74'))
    expect(decoded).toMatchObject({fields: [{name: 'password', value: 'secret', sensitive: true}]})
  })

  test.each([
    ['number 0', '80'],
    ['a number of no table', 'be'],
    ['a name of no table', '7f00 0161'],
    ['a string that is cut off', '4003 6162'],
    ['an integer that is cut off', 'ff'],
    ['an integer that is too large', 'ffff ffff ffff ff7f'],
    ['an integer of zeros without end', 'ff80 8080 8080 8080 8080 8080 00'],
    ['a whole end of string', '0085 ffff ffff fc01 61'],
    ['padding of zeros', '0081 1800'],
    ['padding of more than seven bits', '0082 1fff 0161'],
    ['a size above the limit', '3fe2 1f'],
    ['a size behind a field', '8220'],
  ])('refuses %s', (_, hex) => {
    expect(new HpackDecoder({maxListSize: 4096}).decode(bytes(hex))).toMatchObject({scope: 'connection', code: 9})
  })

  test('takes sizes up to the limit, more than one at a start', () => {
    const decoder = new HpackDecoder({maxListSize: 4096})
    expect(decoder.decode(bytes('3fe1 1f 20 82'))).toMatchObject({type: 'fields'})
  })

  test('wants a size update once a lower limit was acknowledged, and no second one', () => {
    const decoder = new HpackDecoder({maxListSize: 4096})
    decoder.setTableLimit(100)
    expect(decoder.decode(bytes('2082'))).toMatchObject({type: 'fields'})
    expect(decoder.decode(bytes('82'))).toMatchObject({type: 'fields'})
    decoder.setTableLimit(4096)
    expect(decoder.decode(bytes('3fe1 1f82'))).toMatchObject({type: 'fields'})
    decoder.setTableLimit(100)
    expect(decoder.decode(bytes('82'))).toMatchObject({code: 9})
  })

  test('leaves out what is beyond its limit and still keeps its table', () => {
    const decoder = new HpackDecoder({maxListSize: 100})
    const long = Buffer.concat([bytes('4001 61 7f00'), Buffer.alloc(127, 'b'), bytes('4001 63 01 64')])
    expect(decoder.decode(long)).toEqual({type: 'fields', fields: [], truncated: true})
    expect(decoder.decode(bytes('be'))).toMatchObject({fields: [{name: 'c', value: 'd'}], truncated: false})
    expect(decoder.decode(bytes('bf'))).toMatchObject({fields: [], truncated: true})
  })

  test('spends no more than a list on a block that names one field again and again', () => {
    const decoder = new HpackDecoder({maxListSize: 65_536})
    decoder.decode(Buffer.concat([bytes('4001 61 7fa1 1e'), Buffer.alloc(4000, 'b')]))
    const decoded = decoder.decode(Buffer.alloc(16_384, 0xbe))
    expect(decoded.type === 'fields' && decoded.fields.length).toBeLessThan(17)
  })

  test('never throws, whatever it is given', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({maxLength: 200}), {maxLength: 5}), (blocks) => {
        const decoder = new HpackDecoder({maxListSize: 1000})
        for (const block of blocks) expect(['fields', 'fault']).toContain(decoder.decode(block).type)
      }),
      {numRuns: 2000},
    )
  })
})

const field = fc.record(
  {
    name: fc.oneof(fc.constantFrom(':method', ':path', 'content-type', 'cookie', 'x-a'), latin1()),
    value: fc.oneof(fc.constantFrom('GET', '/', '', 'application/grpc'), latin1()),
    sensitive: fc.constant(true),
  },
  {requiredKeys: ['name', 'value']},
)

function latin1(): fc.Arbitrary<string> {
  return fc.uint8Array({maxLength: 300}).map((octets) => Buffer.from(octets).toString('latin1'))
}

describe('HpackEncoder', () => {
  test.each([false, true])('writes what HpackDecoder reads (Huffman: %s)', (huffman) => {
    fc.assert(
      fc.property(fc.array(fc.array(field, {maxLength: 8}), {maxLength: 4}), (lists) => {
        const encoder = new HpackEncoder({huffman})
        const decoder = new HpackDecoder({maxListSize: 1e6})
        for (const list of lists) expect(decoder.decode(encoder.encode(list))).toEqual({type: 'fields', fields: list, truncated: false})
      }),
    )
  })

  test('writes blocks that stand alone: a decoder without a table reads any of them', () => {
    const encoder = new HpackEncoder()
    const list = [{name: 'x-a', value: 'b'}]
    encoder.encode(list)
    expect(new HpackDecoder({tableSize: 0, maxListSize: 4096}).decode(encoder.encode(list))).toMatchObject({fields: list})
  })

  test('sets the table to size 0 in its first block, and is short where it can be', () => {
    const encoder = new HpackEncoder()
    const list = [
      {name: ':method', value: 'POST'},
      {name: ':path', value: '/a'},
      {name: 'te', value: 'x', sensitive: true},
    ]
    expect(encoder.encode(list).toString('hex')).toBe('20' + '83' + '04022f61' + '1002746501' + '78')
    expect(encoder.encode(list).toString('hex')).toBe('83' + '04022f61' + '1002746501' + '78')
  })
})
