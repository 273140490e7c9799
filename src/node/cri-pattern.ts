// Patterns of --name and --namespace. crictl runs RE2, we run JavaScript: what both have is translated, the rest is refused.
import {UserError} from '../base/errors.ts'

/**
 * Matches anywhere in a text, as RE2 would.
 * @throws UserError when RE2 or JavaScript cannot run the pattern.
 */
export function compilePattern(text: string, what: string): RegExp {
  const refuse = (why: string) =>
    new UserError(`Cannot use ${what} as it must be a regular expression that both RE2 and JavaScript can run: it is '${text}' (${why})`)
  const [, flags = '', body = ''] = /^(?:\(\?([ims]+)\))?(.*)$/s.exec(text) ?? []
  let source: string
  try {
    source = translate(body, flags)
  } catch (error) {
    throw error instanceof Untranslatable ? refuse(error.message) : error
  }
  try {
    return new RegExp(source, `u${flags.includes('i') ? 'i' : ''}${flags.includes('s') ? 's' : ''}`)
  } catch (error) {
    throw refuse(error instanceof Error ? error.message.replace(/^.*: /s, '') : String(error))
  }
}

class Untranslatable extends Error {}

const space = '\\t\\n\\f\\r '
const notSpace = '\\x00-\\x08\\x0b\\x0e-\\x1f!-\\u{10ffff}'
/** The ASCII classes of POSIX, which JavaScript has not. */
const posix: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  blank: '\\t ',
  cntrl: '\\x00-\\x1f\\x7f',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@\\[-`\\{-~',
  space: '\\t-\\r ',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
}

const escapes = String.raw`\\[pP]\{[^}]*\}|\\x\{[0-9A-Fa-f]+\}|\\[pP]?[\s\S]`
/** One token of RE2's syntax. RE2 takes a bracket that comes first in a class for itself: '[]a]'. */
const outside = new RegExp(String.raw`${escapes}|\(\?(?:P?<[=!]?|[^)])|\{\d+(?:,\d*)?\}|\[\^?\]?|[\s\S]`, 'uy')
const inside = new RegExp(String.raw`${escapes}|\[:[^\]]*:\]|[\s\S]`, 'uy')

/**
 * A line ends at a line feed only; JavaScript's own flags take more for an end.
 * @throws Untranslatable
 */
function translate(body: string, flags: string): string {
  const parts: string[] = []
  let inClass = false
  for (let at = 0; at < body.length; ) {
    const tokens: RegExp = inClass ? inside : outside
    tokens.lastIndex = at
    const token: string = tokens.exec(body)?.[0] ?? ''
    at += token.length
    if (token.startsWith('\\')) parts.push(escaped(token, inClass))
    else if (inClass) {
      parts.push(token === '[' ? '\\[' : token.startsWith('[:') ? posixClass(token) : token)
      inClass = token !== ']'
    } else if (token.startsWith('[')) {
      parts.push(token.replace(']', '\\]'))
      inClass = true
    } else if (token.startsWith('(?')) parts.push(group(token))
    else if (token === '.') parts.push(flags.includes('s') ? '.' : '[^\\n]')
    else if (flags.includes('m') && (token === '^' || token === '$')) parts.push(token === '^' ? '(?<![^\\n])' : '(?![^\\n])')
    else parts.push(/^[{}\]]$/.test(token) ? `\\${token}` : token)
  }
  return parts.join('')
}

function posixClass(token: string): string {
  const ranges = posix[token.slice(2, -2)]
  if (ranges === undefined) throw new Untranslatable(`${token} is not supported`)
  return ranges
}

function group(token: string): string {
  if (/^\(\?(?:[=!]|P?<[=!])/.test(token)) throw new Untranslatable('RE2 has no lookaround')
  return token === '(?P<' ? '(?<' : token
}

function escaped(token: string, inClass: boolean): string {
  if (token.startsWith('\\x{')) return `\\u${token.slice(2)}`
  if (/^\\[pP]/.test(token)) return token.endsWith('}') ? token : `\\${token[1]}{${token.slice(2)}}`
  const letter = token.slice(1)
  if (letter === '') throw new Untranslatable('trailing backslash')
  if (/[1-9ckuCEQXR]|[^ -~]/.test(letter) || (inClass && letter === 'b')) throw new Untranslatable(`${token} is not supported`)
  if (letter === 'A' && !inClass) return '(?<![\\s\\S])'
  if (letter === 'z' && !inClass) return '(?![\\s\\S])'
  if (letter === 'a') return '\\x07'
  if (letter === 's') return inClass ? space : `[${space}]`
  if (letter === 'S') return inClass ? notSpace : `[${notSpace}]`
  // RE2 lets all punctuation be escaped, JavaScript only its own syntax.
  return /[0-9A-Za-z^$\\.*+?()[\]{}|/]/.test(letter) || (inClass && letter === '-') ? token : letter
}
