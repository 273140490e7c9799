// What must not leave the node in a bundle: secrets in pods' specs, in mount options, in the log. Each hit is counted, by rule.

export interface Redacted {
  readonly text: string
  /** Rule to the number of values it took out. */
  readonly hits: Readonly<Record<string, number>>
}

export const mark = '[redacted]'

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

type Hit = (rule: string) => string

function redactAs(text: string, format: Format, hit: Hit): string {
  switch (format) {
    case 'json':
      return redactJson(text, 1, hit) ?? redactText(text, hit)
    case 'json lines':
      return text.replace(/^.+$/gm, (line) => redactJson(line, 0, hit) ?? redactText(line, hit))
    case 'text':
      return redactText(text, hit)
    default:
      return format satisfies never
  }
}

function redactJson(text: string, indent: number, hit: Hit): string | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  return JSON.stringify(redactValue(value, '', hit), null, indent)
}

/** Names under which credentials travel: CSI secrets and contexts, registry logins, options of mounts. */
const secretName =
  /passw|secret|token|credential|api[_-]?key|access[_-]?key|private[_-]?key|client[_-]?key|^auth$|^identitytoken$|\.dockerconfigjson/i
/** References to a Secret by its name, and flags about tokens, are no secrets. */
const innocentName =
  /^(secretName|secretRef|secretKeyRef|imagePullSecrets|automountServiceAccountToken|tokenExpirationSeconds|.*SecretRef|secret|serviceAccountToken|tokenRequests)$/
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration'

function redactValue(value: unknown, key: string, hit: Hit): unknown {
  if (Array.isArray(value))
    return key === 'env' || key === 'envs' ? value.map((entry) => redactEnv(entry, hit)) : value.map((item) => redactValue(item, key, hit))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, redactValue(item, name, hit)]))
  }
  if (typeof value !== 'string' || value === '') return value
  // It repeats the whole spec, values of the environment too.
  if (key === lastApplied) return hit('last-applied-configuration')
  if (secretName.test(key) && !innocentName.test(key)) return hit('secret field')
  return redactText(value, hit)
}

/** Every value: nobody can tell which of them is secret. */
function redactEnv(entry: unknown, hit: Hit): unknown {
  if (typeof entry !== 'object' || entry === null || !('value' in entry) || entry.value === '') return entry
  return {...entry, value: hit('environment value')}
}

const rules: readonly (readonly [string, RegExp, (match: readonly string[], mark: string) => string])[] = [
  // Go prints a container's spec as EnvVar{Name:X,Value:Y,ValueFrom:nil,}.
  [
    'environment value',
    /(EnvVar\{Name:[^,{}]*,Value:)((?:(?!,ValueFrom:).)+)(,ValueFrom:)/g,
    ([, before, , after], text) => `${before}${text}${after}`,
  ],
  ['json web token', /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, (_match, text) => text],
  ['bearer token', /\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/g, ([, scheme], text) => `${scheme} ${text}`],
  ['private key', /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/g, (_match, text) => text],
  [
    'credential option',
    /((?:^|[\s,;?&"'[{(-])[\w.-]*(?:passw(?:or)?d|secret|token|credentials?|api[_-]?key|access[_-]?key)\s*[=:]\s*)(?!\[redacted\]|\s)([^\s,;&"'\]})]+)/gi,
    ([, before], text) => `${before}${text}`,
  ],
]

function redactText(text: string, hit: Hit): string {
  return rules.reduce((left, [rule, pattern, replace]) => left.replace(pattern, (...match: string[]) => replace(match, hit(rule))), text)
}
