// What follows the header of klog's text form: any text, or a quoted message with key=value pairs (klog's internal/serialize).

interface Message {
  readonly message: string
  readonly fields: Readonly<Record<string, string>>
}

export function parseMessage(text: string): Message {
  const quoted = quotedAt(text, 0)
  // Text of the old form may begin with a quoted word: only pairs, or nothing, follow a structured message.
  if (quoted === undefined || !/^\s*($|[^\s=]+=)/.test(text.slice(quoted.end, quoted.end + 200))) return {message: text, fields: {}}
  return {message: quoted.value, fields: parsePairs(text, quoted.end)}
}

/**
 * Moments of every year around, the one nearest to `near`. `parts`: month, day, hours, minutes, seconds, milliseconds.
 * 29 February is in one year of four, or of eight: so four years each way.
 */
export function nearestYear(near: number, parts: readonly number[]): number | undefined {
  const [month = 0, day = 0, hours = 0, minutes = 0, seconds = 0, milliseconds = 0] = parts
  const year = new Date(near).getUTCFullYear()
  return [0, -1, 1, -2, 2, -3, 3, -4, 4]
    .map((away) => Date.UTC(year + away, month - 1, day, hours, minutes, seconds, milliseconds))
    .filter((at) => new Date(at).getUTCMonth() === month - 1 && new Date(at).getUTCDate() === day)
    .reduce<number | undefined>((best, at) => (best === undefined || Math.abs(at - near) < Math.abs(best - near) ? at : best), undefined)
}

const key = /\s*([^\s="]+)=/y
const quotedString = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"/y
// A text of several lines: '=<', each line after a tab, then ' >'.
const block = /<\n([\s\S]*?)\n >/y

function parsePairs(text: string, start: number): Record<string, string> {
  const pairs: [string, string][] = []
  let at = start
  // Once a bracket or a block is found not to close, they mean nothing in the rest: else each pair would look for its end all over again.
  let nested = true
  for (;;) {
    key.lastIndex = at
    const name = key.exec(text)
    if (name === null) return Object.fromEntries(pairs)
    at += name[0].length
    const value: Value = quotedAt(text, at) ?? (nested ? blockAt(text, at) : undefined) ?? plainAt(text, at, nested)
    nested = nested && value.closed !== false
    pairs.push([name[1] ?? '', value.value])
    at = value.end
  }
}

interface Value {
  readonly value: string
  readonly end: number
  readonly closed?: boolean
}

function quotedAt(text: string, at: number): Value | undefined {
  quotedString.lastIndex = at
  const found = quotedString.exec(text)?.[0]
  return found === undefined ? undefined : {value: unquote(found.slice(1, -1)), end: at + found.length}
}

function blockAt(text: string, at: number): Value | undefined {
  block.lastIndex = at
  const found = block.exec(text)
  if (found !== null) return {value: (found[1] ?? '').replace(/^\t/gm, ''), end: at + found[0].length}
  return text.startsWith('<\n', at) ? {...plainAt(text, at, false), closed: false} : undefined
}

/** A value as Go's %v prints it: it may have spaces, inside brackets or not; so it ends where the next key begins. */
function plainAt(text: string, at: number, nested: boolean): Value {
  let depth = 0
  for (let end = at; end < text.length; end++) {
    const char = text[end] ?? ''
    if (nested && '{[('.includes(char)) depth++
    else if (nested && '}])'.includes(char)) depth--
    else if (char === ' ' && depth <= 0 && nextKey(text, end)) return {value: text.slice(at, end), end}
  }
  return depth > 0 ? {...plainAt(text, at, false), closed: false} : {value: text.slice(at), end: text.length}
}

const keyAhead = / [A-Za-z][\w./-]{0,99}=/y

function nextKey(text: string, at: number): boolean {
  keyAhead.lastIndex = at
  return keyAhead.test(text)
}

const escapes: Readonly<Record<string, string>> = {a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v'}

/** strconv.Unquote's escapes. A byte that is no character becomes the replacement character. */
function unquote(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(/\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8})|([0-7]{3})|([\s\S]))/gi, (_, hex, short, long, octal, char) => {
    if (char !== undefined) return escapes[char] ?? char
    const code = octal === undefined ? Number.parseInt(hex ?? short ?? long, 16) : Number.parseInt(octal, 8)
    const isByte = hex !== undefined || octal !== undefined
    return code > 0x10ffff || (isByte && code > 0x7f) ? '\ufffd' : String.fromCodePoint(code)
  })
}
