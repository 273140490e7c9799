import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {UserError} from '../../src/base/errors.ts'
import {compilePattern} from '../../src/node/cri-pattern.ts'

const matches = (pattern: string, text: string) => compilePattern(pattern, '--name').test(text)

describe('compilePattern()', () => {
  test.for([
    ['web', 'my-web-0', true],
    ['^web', 'my-web-0', false],
    ['web$', 'web\n', false],
    ['a.c', 'a\nc', false],
    ['(?s)a.c', 'a\nc', true],
    ['a.c', 'a\rc', true],
    ['(?i)WEB', 'my-web', true],
    ['(?P<app>web)', 'web', true],
    ['\\Aweb\\z', 'web', true],
    ['\\Aweb\\z', 'web-0', false],
    ['my\\-web\\_0', 'my-web_0', true],
    ['a\\.b', 'axb', false],
    ['[[:digit:]]+$', 'web-12', true],
    ['^[[:alpha:]-]+$', 'my-web', true],
    ['^[[:alpha:]-]+$', 'my-web-0', false],
    ['^[]a]+$', ']a', true],
    ['^[^]a]+$', ']', false],
    ['^[a[]b$', '[b', true],
    ['[:ab:]c', ':c', true],
    ['a{2}', 'aa', true],
    ['a{,2}', 'a{,2}', true],
    ['{', 'a{b', true],
    ['\\s', '\u00a0', false],
    ['^[\\s]$', '\t', true],
    ['\\S', '\u00a0', true],
    ['\\pL', 'ä', true],
    ['\\p{Lu}', 'ä', false],
    ['\\x{61}\\x62', 'ab', true],
    ['^.$', '😀', true],
  ] as const)('matches %j against %j: %j', ([pattern, text, expected]) => {
    expect(matches(pattern, text)).toBe(expected)
  })

  test.for([
    ['(', 'Unterminated group'],
    ['a**', 'Nothing to repeat'],
    ['a\\', 'trailing backslash'],
    ['[\\b]', '\\b is not supported'],
    ['\\é', '\\é is not supported'],
    ['(?=web)', 'RE2 has no lookaround'],
    ['(?<!web)', 'RE2 has no lookaround'],
    ['(a)\\1', '\\1 is not supported'],
    ['\\Qa.b\\E', '\\Q is not supported'],
    ['[[:^alpha:]]', '[:^alpha:] is not supported'],
    ['\\p{Greek}', 'Invalid property name'],
  ] as const)('refuses %j', ([pattern, why]) => {
    expect(() => matches(pattern, '')).toThrow(
      `Cannot use --name as it must be a regular expression that both RE2 and JavaScript can run: it is '${pattern}' (${why})`,
    )
  })

  test('finds any text that is escaped as Go would', () => {
    const quote = (text: string) => text.replace(/[\\.+*?()|[\]{}^$]/g, '\\$&')
    fc.assert(
      fc.property(fc.string({unit: 'grapheme'}), fc.string(), (text, before) => {
        expect(matches(quote(text), `${before}${text}`)).toBe(true)
      }),
    )
  })

  test('returns a pattern or throws a UserError, whatever the text', () => {
    const text = fc.string({unit: fc.constantFrom(...'ab\\[]{}()^$.*+?|:-,pPxAzQ0129<=!'), maxLength: 12})
    fc.assert(
      fc.property(text, (text) => {
        try {
          matches(text, 'ab')
        } catch (error) {
          expect(error).toBeInstanceOf(UserError)
        }
      }),
      {numRuns: 2000},
    )
  })
})
