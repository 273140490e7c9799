// Running text, rule by rule. Every pattern goes over a text once: lines of the log may have megabytes.
import {envVars, goMaps, mapEntries, privateKeys, secretObjects} from './entries.ts'
import type {Hit, Span} from './mark.ts'
import {secretPairs} from './pairs.ts'

type Rule = readonly [name: string, find: (text: string) => Iterable<Span>]

const rules: readonly Rule[] = [
  ['environment value', envVars],
  ['private key', privateKeys],
  // In base64, as kubeconfigs and Secrets have it: '-----BEGIN ' and then no certificate.
  ['private key', (text) => lastGroup(text, /(?<![A-Za-z0-9+/])(LS0tLS1CRUdJTi(?!BDRVJU|BUUlVTV|BQVUJM)[A-Za-z0-9+/=]+)/dg)],
  ['secret field', secretObjects],
  // The look ahead comes once a run, so that not each eyJ in it looks for the dots.
  ['json web token', (text) => lastGroup(text, /(?<![\w-])(?=[\w-]{11,}\.[\w-]{8})[\w-]*?\b(eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?)/dg)],
  ['bearer token', (text) => lastGroup(text, /\b(?:Bearer|Basic)\s{1,9}([\w.~+/=-]{8,})/dgi)],
  [
    'known token',
    (text) =>
      lastGroup(
        text,
        /\b(gh[oprsu]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abeoprs]-[\w-]{10,}|(?<=hooks\.slack\.com\/services\/)[\w/]{10,})/dg,
      ),
  ],
  // A header has it to the end of the line.
  [
    'credential option',
    (text) =>
      lastGroup(
        text,
        /\b(?:authorization|cookie|x-auth[\w-]{0,40})\\*["']?[ \t]{0,9}[:=][ \t]{0,9}\\*["']?(?!\[redacted\]|(?:Bearer|Basic) \[redacted\])([^\s"'\\][^\r\n"'\\]*)/dgi,
      ),
  ],
  ['url login', (text) => lastGroup(text, /(?:https?:\/\/(?=[^:@\s/"'<>]+@)|\/\/(?=[^:@\s/"'<>]*:))(?!\[redacted\])([^\s/"'<>]+)@/dg)],
  ['map entry', mapEntries],
  ['map entry', goMaps],
  ['credential option', secretPairs],
  // curl -u user:password; mount.cifs takes user%password.
  [
    'user and password',
    (text) =>
      lastGroup(
        text,
        /(?<![\w-])(?:-u|-U|--(?:proxy-)?user)(?:\s{1,9}|=)\\{0,9}["']?[^\s:"'\\]{1,256}:(?!\[redacted\]|\d+\b)([^\s"'\\]+)/dg,
      ),
  ],
  ['user and password', (text) => lastGroup(text, /(?<=[,\s])user(?:name)?=[^,%\s]{1,256}%(?!\[redacted\])([^,\s"'\\]+)/dg)],
  // Only of commands whose -p is known to be a password's.
  [
    'credential option',
    (text) =>
      lastGroup(
        text,
        /\b(?:mysql|mariadb|mongo|sshpass|docker|podman|ldap)[^\n|;&]{0,200}?\s-[pw]\s{0,3}["']?(?!\[redacted\]|[\d/.-])([^\s"'\\]+)/dg,
      ),
  ],
]

/** Only the rules of tokens find anything in a text that has no separator. */
const oneWord = /^[\w./@+~-]*$/
const tokenBegins = /eyJ|gh[oprsu]_|github_pat_|glpat-|xox[abeoprs]-|hooks\.slack|LS0tLS1CRUdJTi/

/** Texts in which nothing was found: a kubelet lists the same containers each second. */
const clean = new Set<string>()
const mostClean = 8192
const longestClean = 256

/** One that has a run of letters of many megabytes is taken out as a whole: V8 cannot match it. */
export function redactText(text: string, hit: Hit): string {
  try {
    if ((oneWord.test(text) && !tokenBegins.test(text)) || (text.length <= longestClean && clean.has(text))) return text
    const found = rules.reduce((left, [name, find]) => replaceSpans(left, find(left), () => hit(name)), text)
    if (found === text && text.length <= longestClean) {
      if (clean.size === mostClean) clean.clear()
      clean.add(text)
    }
    return found
  } catch (error) {
    if (error instanceof RangeError) return hit('too long')
    throw error
  }
}

function replaceSpans(text: string, spans: Iterable<Span>, replacement: () => string): string {
  const parts: string[] = []
  let at = 0
  for (const {start, end} of spans) {
    if (start < at) continue
    parts.push(text.slice(at, start), replacement())
    at = end
  }
  return at === 0 ? text : parts.join('') + text.slice(at)
}

function* lastGroup(text: string, pattern: RegExp): Generator<Span> {
  for (const {indices} of text.matchAll(pattern)) {
    const [start, end] = indices?.at(-1) ?? [0, 0]
    yield {start, end}
  }
}
