// JSON whose numbers are written as they were read: a limit of memory has more digits than a number of JavaScript.

interface RawJson {
  rawJSON(text: string): object
  isRawJSON(value: unknown): boolean
  parse(text: string, reviver: (name: string, value: unknown, context: {readonly source?: string}) => unknown): unknown
}

// TypeScript's library has them some day (ECMAScript: JSON.parse source text access).
const json = JSON as unknown as RawJson

/** @throws SyntaxError */
export function parseExact(text: string): unknown {
  return json.parse(text, (_name, value, {source}) =>
    typeof value === 'number' && source !== undefined && source !== `${value}` ? json.rawJSON(source) : value,
  )
}

/** A number that JSON.stringify() writes as it was. */
export const isExact = (value: object): boolean => json.isRawJSON(value)
