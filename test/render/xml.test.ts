import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {memoryPages, validateXML} from 'xmllint-wasm'
import {element, xmlDocument} from '../../src/render/xml.ts'

describe('element()', () => {
  test.each([
    ['nothing', element('a', {}), '<a/>'],
    ['attributes', element('a', {b: '1', c: '"<&>\'\n\t\r'}), `<a b="1" c="&quot;&lt;&amp;&gt;'&#10;&#9;&#13;"/>`],
    ['text', element('a', {}, 'x ]]> <b>\n&amp;'), '<a>x ]]&gt; &lt;b&gt;\n&amp;amp;</a>'],
    ['elements', element('a', {}, [element('b', {}), element('c', {}, 'd')]), '<a>\n<b/>\n<c>d</c>\n</a>'],
    [
      'what XML cannot hold',
      element('a', {b: '\ud800'}, '\u0000\u001b\ud83d\ufffe😀\u0085'),
      '<a b="\ufffd">\ufffd\ufffd\ufffd\ufffd😀\u0085</a>',
    ],
  ])('element() writes %s', (_what, written, expected) => {
    expect(written).toBe(expected)
  })

  test('element() writes what a parser takes, whatever the texts are', async () => {
    const text = fc.string({unit: 'binary', maxLength: 300})
    const texts = fc.sample(fc.tuple(text, text), {numRuns: 300, seed: 1})
    const everyChar = Array.from({length: 0x10000}, (_, code) => String.fromCharCode(code)).join('')
    const parts = [...texts, ['', everyChar] as const].map(([attribute, content]) => element('e', {attribute}, content))
    const any = '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="all" type="xs:anyType"/></xs:schema>'
    const {errors} = await validateXML({
      xml: [{fileName: 'a.xml', contents: xmlDocument(element('all', {}, parts))}],
      schema: [{fileName: 'a.xsd', contents: any}],
      maxMemoryPages: memoryPages.GiB,
    })
    expect(errors).toEqual([])
  })
})
