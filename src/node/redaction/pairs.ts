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
  const end = quotedEnd(text, start, quote.length - 1, quote.at(-1))
  const value = text.slice(start, end)
  return isInnocent(value, separator, true) || (/^secrets?$/i.test(bare) && reference.test(value)) ? undefined : {start, end}
}

function isSecret(text: string, at: number, name: string, key: boolean, separator: string): boolean {
  if (key) return isSecretKey(name.slice(-200))
  // Ceph's name for it; elsewhere a key is what has a value.
  if (name === 'key' && separator === '=') return text[at - 5] === ','
  if (/signature\d?$/i.test(name.slice(-12)) && separator !== '=') return false
  return !/[/~]/.test(name) && isSecretOption(name)
}

function plainAt(text: string, at: number, separator: string): Span | undefined {
  plain.lastIndex = at
  const found = plain.exec(text)?.[0]
  if (found === undefined) return undefined
  const end = at + found.length
  const closes = text[end] === '"' || text[end] === "'"
  const span = {start: at, end: closes ? end - slashesBefore(text, end, at) : end}
  return span.start === span.end || isInnocent(text.slice(span.start, span.end + 1), separator, false) ? undefined : span
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
