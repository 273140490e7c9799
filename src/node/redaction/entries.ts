// Entries of maps and lists as Go and protobuf print them: secrets:<key:"k" value:"v">, EnvVar{Name:n,Value:v,ValueFrom:nil,}.
import {mark, type Span} from './mark.ts'
import {isSecretKey} from './names.ts'
import {quotedEnd} from './quoted.ts'

const entryKey = /(?<![\w.])((?:[\w.]*secrets)\s{0,9}:?\s{0,9}[<{]\s{0,9})?(?<![\w.])key\\*"?\s{0,9}:\s{0,9}(\\*)"/gi
const entryValue = /\\*"[\s,]{0,9}\\*"?value\\*"?\s{0,9}:\s{0,9}(\\*)"/iy

/** All that is in a map of secrets, and what is under a secret's name in any other. */
export function* mapEntries(text: string): Generator<Span> {
  for (const match of text.matchAll(entryKey)) {
    const from = match.index + match[0].length
    const to = quotedEnd(text, from, match[2]?.length ?? 0)
    if (match[1] === undefined && !isSecretKey(text.slice(from, Math.min(to, from + 200)))) continue
    entryValue.lastIndex = to
    const value = entryValue.exec(text)
    if (value === null) continue
    const start = to + value[0].length
    const end = quotedEnd(text, start, value[1]?.length ?? 0)
    if (end > start && !text.startsWith(mark, start)) yield {start, end}
  }
}

/** Go's map of strings, with names or without quotes: secrets:map[a:b c:d]. */
export function* goMaps(text: string): Generator<Span> {
  let done = 0
  for (const match of text.matchAll(/(?<![\w.])[\w.]*secrets"?\s{0,9}[:=]\s{0,9}map\[(?:string\]string\{)?/gi)) {
    if (match.index < done) continue
    const start = match.index + match[0].length
    const close = match[0].endsWith('{') ? /[}\n]|$/g : /[\]\n]|$/g
    close.lastIndex = start
    const end = close.exec(text)?.index ?? text.length
    done = end
    if (end > start && !text.startsWith(mark, start)) yield {start, end}
  }
}

const secretData = /^([ \t]*)(?:data|stringData):[ \t]*\r?\n((?:\1[ \t]+[^\n]*(?:\n|$)|[ \t]*\r?\n)+)/gm

/** What a Secret in YAML holds, under whatever names. */
export function* secretObjects(text: string): Generator<Span> {
  if (!/^[\s-]*kind:\s{0,9}["']?Secret\b/m.test(text)) return
  for (const match of text.matchAll(secretData)) {
    const block = match[2]?.trimEnd() ?? ''
    const start = match.index + match[0].indexOf('\n') + 1
    if (block.trim() !== '' && !block.trim().startsWith(mark)) yield {start, end: start + block.length}
  }
}

const after = ',ValueFrom:'

/** A value may have lines of its own; one that is torn goes to the end of its line. */
export function* envVars(text: string): Generator<Span> {
  let close = 0
  let newline = 0
  const starts = [...text.matchAll(/EnvVar\{Name:[^,{}]{0,1000},Value:/g)]
  for (const [index, match] of starts.entries()) {
    const start = match.index + match[0].length
    if (close < start) close = indexFrom(text, after, start)
    if (newline < start) newline = indexFrom(text, '\n', start)
    const next = starts[index + 1]?.index ?? text.length
    const end = close < next ? close : Math.min(next, newline)
    if (end > start && !text.startsWith(mark, start)) yield {start, end}
  }
}

const keyEnd = /-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g
// Some have headers first.
const keyLines = /(?:(?:\s|\\+[rn])*[A-Za-z][A-Za-z-]{1,30}: [^\n\\"]{1,200})*(?:(?:\s|\\+[rn])*[A-Za-z0-9+/=]{16,})*/y

/** To its end, or as far as its lines go where it is torn. */
export function* privateKeys(text: string): Generator<Span> {
  let done = 0
  let ends: Span | undefined = {start: 0, end: 0}
  for (const match of text.matchAll(/-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g)) {
    if (match.index < done) continue
    const from = match.index + match[0].length
    if (ends !== undefined && ends.start < from) ends = endAfter(text, from)
    keyLines.lastIndex = from
    done = ends?.end ?? from + (keyLines.exec(text)?.[0].length ?? 0)
    yield {start: match.index, end: done}
  }
}

function endAfter(text: string, from: number): Span | undefined {
  keyEnd.lastIndex = from
  const found = keyEnd.exec(text)
  return found === null ? undefined : {start: found.index, end: found.index + found[0].length}
}

function indexFrom(text: string, what: string, from: number): number {
  const at = text.indexOf(what, from)
  return at === -1 ? text.length : at
}
