// What must not leave the node in a bundle: secrets in pods' specs, in mount options, in the log. Each hit is counted, by rule.

import {redactWords} from './redaction/command.ts'
import {isExact, parseExact} from './redaction/exact-json.ts'
import {type Hit, mark} from './redaction/mark.ts'
import {isSecretKey} from './redaction/names.ts'
import {redactText} from './redaction/text.ts'

export {mark}

export interface Redacted {
  readonly text: string
  /** Rule to the number of values it took out. */
  readonly hits: Readonly<Record<string, number>>
}

export type Format = 'json' | 'json lines' | 'text'

/** A reply, without its secrets. JSON stays JSON; a document that is torn is gone through as text. */
export function redact(text: string, format: Format): Redacted {
  const hits: Record<string, number> = {}
  const hit = (rule: string): string => {
    hits[rule] = (hits[rule] ?? 0) + 1
    return mark
  }
  return {text: redactAs(text, format, hit), hits}
}

function redactAs(text: string, format: Format, hit: Hit): string {
  switch (format) {
    case 'json':
      return redactJson(text, 1, hit) ?? redactText(text, hit)
    case 'json lines':
      return text.replace(/^.+$/gm, (line) => redactJson(line, 0, hit) ?? redactText(line, hit))
    case 'text':
      return redactLines(text, hit)
    default:
      return format satisfies never
  }
}

/** Lines that are JSON, as the kubelet's log may be, stay so; they are written anew only where something was taken out. */
function redactLines(text: string, hit: Hit): string {
  const parts: string[] = []
  let at = 0
  for (const {0: line, index} of text.matchAll(/^\{.*\}$/gm)) {
    let hits = 0
    const redacted = redactJson(line, 0, (rule) => {
      hits++
      return hit(rule)
    })
    if (redacted === undefined) continue
    parts.push(redactText(text.slice(at, index), hit), hits === 0 ? line : redacted)
    at = index + line.length
  }
  return parts.join('') + redactText(text.slice(at), hit)
}

function redactJson(text: string, indent: number, hit: Hit): string | undefined {
  try {
    return JSON.stringify(redactValue(JSON.parse(text), '', hit), null, indent)
  } catch {
    return undefined
  }
}

/** One that is a JSON document by itself, as runtimes have them in maps of strings, stays one: its numbers keep all their digits. */
export function redactString(text: string, hit: Hit): string {
  if (!/^\s*[[{]/.test(text)) return redactText(text, hit)
  try {
    let hits = 0
    const value = redactValue(parseExact(text), '', (rule) => {
      hits++
      return hit(rule)
    })
    return hits === 0 ? text : JSON.stringify(value)
  } catch {
    return redactText(text, hit)
  }
}

/** One of many under a name: a label, an annotation, a parameter. */
export function redactNamed(name: string, value: string, hit: Hit): string {
  return redactValue(value, name, hit) as string
}

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration'

function redactValue(value: unknown, key: string, hit: Hit): unknown {
  if (Array.isArray(value)) {
    if (isEnvironment(key) || key === 'httpHeaders') return value.map((entry) => redactEnv(entry, hit))
    if (value.every((item) => typeof item === 'string') && !isSecretKey(key)) return redactWords(value, hit)
    return value.map((item) => redactValue(item, typeof item === 'string' ? key : '', hit))
  }
  if (typeof value === 'object' && value !== null) {
    if (isExact(value)) return value
    // CSI's secrets: whatever their names are.
    const all = /(?:^|_)secrets$|[a-z]Secrets$/.test(key) && isSecretKey(key)
    const environment = isEnvironment(key)
    const isSecret = 'kind' in value && value.kind === 'Secret'
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        redactText(name, hit),
        environment && typeof item === 'string'
          ? hit('environment value')
          : all && typeof item === 'string'
            ? redactSecret(item, hit)
            : redactValue(item, isSecret && /^(?:data|stringData)$/.test(name) ? 'secrets' : name, hit),
      ]),
    )
  }
  if (typeof value !== 'string' || value === '') return value
  // It repeats the whole spec, values of the environment too.
  if (key === lastApplied) return hit('last-applied-configuration')
  if (key === 'created_by') return redactStep(value, hit)
  return isSecretKey(key) ? redactSecret(value, hit) : redactString(value, hit)
}

function redactSecret(value: string, hit: Hit): string {
  return value === '' ? value : hit('secret field')
}

/** As the kubelet, runtimes and images have it. */
const isEnvironment = (key: string): boolean => /^(?:envs?|environment)$/i.test(key)

/** A step of an image's making: ENV NAME=value, and before a command |2 NAME=value … of its ARGs. */
function redactStep(step: string, hit: Hit): string {
  const setsNames = /^\|\d|(?:^|\s)(?:ENV|ARG)\s/.test(step)
  const [variables = '', command = ''] = setsNames ? (/^([\s\S]*?)(\s\/bin\/sh -c (?!#)[\s\S]*)?$/.exec(step)?.slice(1) ?? []) : ['', step]
  const hidden = variables.replace(/([A-Za-z_]\w*=)(?:"(?:[^"\\]|\\[\s\S])*"|\S+)/g, (_, name) => name + hit('environment value'))
  return redactString(hidden, hit) + redactString(command, hit)
}

/** Every value: nobody can tell which of them is secret. The runtime writes NAME=value. */
function redactEnv(entry: unknown, hit: Hit): unknown {
  if (typeof entry === 'string') return entry.replace(/^([^=]*=)[\s\S]+$/, (_, name) => name + hit('environment value'))
  if (typeof entry !== 'object' || entry === null || !('value' in entry) || entry.value === '') return entry
  return {...entry, value: hit('environment value')}
}
