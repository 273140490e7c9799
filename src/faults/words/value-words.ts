// Values of fields as sentences have them.

/** What could be mistaken for the words around it is quoted. */
export function valueWords(value: unknown): string {
  if (typeof value === 'string') return /^[^\s,;:'"]+$/.test(value) ? cutWords(value) : JSON.stringify(cutWords(value))
  return typeof value === 'object' && value !== null ? cutWords(JSON.stringify(value)) : `${value}`
}

/** 'state CONTAINER_UNKNOWN, exitCode 137' */
export const fieldWords = (fields: Readonly<Record<string, unknown>>): string =>
  Object.entries(fields)
    .map(([name, value]) => `${cutWords(name)} ${valueWords(value)}`)
    .join(', ')

/** Longer than any name that there is; a sentence is to be read. */
const most = 80

export const cutWords = (text: string): string => (text.length <= most ? text : `${text.slice(0, most)}…`)
