// Secrets after a name: password=x, "password":"x", --token x, ["--token","x"], in whatever quotes.
import {mark, type Span} from './mark.ts'
import {isSecretKey, isSecretOption} from './names.ts'
import {quotedEnd, slashesBefore} from './quoted.ts'

// A run of letters is looked at once, from its start: this keeps long lines cheap.
const named = /(?<![\w./~-])([\w./~-]+)(\\*["'])?(\s{0,9}[=:,]\s{0,9}|\s{1,9})/g
const openQuote = /\\*["']/y
const plain = /[^\s,;&"'\]})]+/y

export function* secretPairs(text: string): Generator<Span> {
  let done = 0
  for (const match of text.matchAll(named)) {
    if (match.index < done) continue
    const [all, name = '', quote, separator = ''] = match
    const span = valueAt(text, match.index + all.length, name, quote !== undefined, separator.trim())
    if (span === undefined) continue
    yield span
    done = span.end
  }
}

function valueAt(text: string, at: number, name: string, quotedName: boolean, separator: string): Span | undefined {
  const flag = /^--?[a-z]/i.test(name)
  const bare = name.replace(/^-{1,2}/, '')
  // Between the words of a sentence, and of a list, only a flag has a value. A quoted name before a colon may be a volume's.
  if (separator === ',' ? !(flag && quotedName) : separator === '' && !flag) return undefined
  if (!isSecret(text, at, bare, quotedName && !flag, separator)) return undefined
  openQuote.lastIndex = at
  const quote = openQuote.exec(text)?.[0]
  if (quote === undefined) return quotedName && separator !== '=' ? undefined : plainAt(text, at, separator)
  const start = at + quote.length
  const end = manyLines(text, start, quote, separator) ?? quotedEnd(text, start, quote.length - 1, quote.at(-1))
  const value = text.slice(start, end)
  return isInnocent(value, separator, true) || (/^secrets?$/i.test(bare) && reference.test(value)) ? undefined : {start, end}
}

function isSecret(text: string, at: number, name: string, key: boolean, separator: string): boolean {
  if (key) return isSecretKey(name.slice(-200))
  // Ceph's name for it, and that of parameters of URLs; elsewhere a key is what has a value.
  if (name === 'key' && separator === '=') return /[,?&]/.test(text[at - 5] ?? '')
  if (/signature\d?$/i.test(name.slice(-12)) && separator !== '=') return false
  return !/[/~]/.test(name) && isSecretOption(name)
}

function plainAt(text: string, at: number, separator: string): Span | undefined {
  plain.lastIndex = at
  const found = plain.exec(text)?.[0]
  if (found === undefined) return undefined
  const block = /^[|>][+-]?\d?[+-]?$/.test(found) ? blockAfter(text, at, at + found.length) : undefined
  if (block !== undefined) return block
  const end = at + found.length
  const closes = text[end] === '"' || text[end] === "'"
  const span = {start: at, end: closes ? end - slashesBefore(text, end, at) : end}
  return span.start === span.end || isInnocent(text.slice(span.start, span.end + 1), separator, false) ? undefined : span
}

/** A value that a file of variables or YAML has over several lines: only where the quote that ends it ends its line, too. */
function manyLines(text: string, start: number, quote: string, separator: string): number | undefined {
  if (quote.length > 1 || (separator !== '=' && separator !== ':')) return undefined
  const stop = quote === "'" ? /'/g : /(?<!\\)"/g
  stop.lastIndex = start
  const end = stop.exec(text)?.index
  if (end === undefined || end - start > 16_384 || !/^[ \t]*(?:[\r\n;,]|$)/.test(text.slice(end + 1, end + 20))) return undefined
  return text.slice(start, end).includes('\n') ? end : undefined
}

/** YAML's block after `|` or `>`: the lines that are further in than the name. */
function blockAfter(text: string, at: number, from: number): Span | undefined {
  if (!/^[ \t]*\r?\n/.test(text.slice(from, from + 20))) return undefined
  const line = text.lastIndexOf('\n', at) + 1
  const indent = /^[ -]*/.exec(text.slice(line, at))?.[0].length ?? 0
  const lines = new RegExp(`[ \\t]*\\r?\\n((?:[ ]{${Math.min(indent, 100) + 1},}[^\\n]*(?:\\n|$)|[ \\t]*\\r?\\n)+)`, 'y')
  lines.lastIndex = from
  const block = lines.exec(text)
  if (block === null) return undefined
  const end = from + block[0].trimEnd().length
  return {start: at, end}
}

/** klog's namespace/name of a Secret. */
const reference = /^[a-z0-9-]{1,63}\/[a-z0-9.-]{1,253}$/

function isInnocent(value: string, separator: string, quoted: boolean): boolean {
  if (value === '' || value.startsWith(mark) || value.startsWith('/var/run/secrets/')) return true
  if (quoted) return false
  // Go prints structures and absent values after a colon.
  return (
    /^(?:<?nil>?|null|true|false)\W?$/.test(value) ||
    (separator === ':' && /^(?:[[{<*]|map\[)/.test(value)) ||
    (separator === '' && value.startsWith('-'))
  )
}
