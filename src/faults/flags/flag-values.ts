// The texts of flags as values of a rule.
import {UserError} from '../../base/errors.ts'

export const misused = (flag: string, must: string, given: string): UserError =>
  new UserError(`Cannot use --${flag} as it must be ${must}: it is '${given}'`)

/** What is no number stays a text, and whoever takes a number says so. */
export const numberOr = (text: string): number | string => (/^\d+(\.\d+)?$/.test(text) ? Number(text) : text)

export function nthFlag(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw misused('nth', 'a whole number, 1 or more', text)
  return Number(text)
}

export interface FieldFlag {
  readonly key: string
  readonly text: string
  /** Of 137 the number, of true the truth; '"137"' is a text. */
  readonly value: unknown
  readonly given: string
}

export const fieldFlags = (flag: string, all: readonly string[] = []): readonly FieldFlag[] =>
  all.map((given) => {
    const [, key = '', text = ''] = /^([^=]+)=(.*)$/s.exec(given) ?? []
    if (key === '') throw misused(flag, 'a name and a value, such as volumeId=vol-1', given)
    return {key, text, value: jsonOr(text), given}
  })

export type SetFlag = FieldFlag & {readonly side: 'request' | 'reply'}

export const setFlags = (all: readonly string[] = []): readonly SetFlag[] =>
  all.flatMap((given) => {
    const [, side, rest = ''] = /^(request|reply):(.+)$/s.exec(given) ?? []
    if (side !== 'request' && side !== 'reply')
      throw misused('set', 'a field of the request or the reply and its value, such as reply:status.state=CONTAINER_UNKNOWN', given)
    return fieldFlags('set', [rest]).map((field) => ({...field, side, given}))
  })

export function parsedJson(flag: string, text: string): unknown {
  const value = jsonOr(text)
  if (typeof value === 'string') throw misused(flag, 'JSON', text)
  return value
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
