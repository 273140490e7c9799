// Values of fields as sentences have them.

/** What could be mistaken for the words around it is quoted. */
export function valueWords(value: unknown): string {
  if (typeof value === 'string') return /^[^\s,;:'"]+$/.test(value) ? value : JSON.stringify(value)
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : `${value}`
}

/** 'state CONTAINER_UNKNOWN, exitCode 137' */
export const fieldWords = (fields: Readonly<Record<string, unknown>>): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name} ${valueWords(value)}`)
    .join(', ')
