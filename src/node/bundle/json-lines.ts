// One JSON value a line.

export interface JsonLines<T> {
  readonly values: readonly T[]
  /** How many lines were nothing of the kind: a torn last one, say. */
  readonly skipped: number
}

/** @throws Error when there are lines and not one of them is of the kind. */
export function parseJsonLines<T>(text: string, parse: (line: unknown) => T | undefined): JsonLines<T> {
  const values: T[] = []
  let skipped = 0
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue
    const value = parseLine(line, parse)
    if (value === undefined) skipped++
    else values.push(value)
  }
  if (values.length === 0 && skipped > 0)
    throw new Error('Cannot read it as its lines must be JSON objects with the fields of an entry: not one of them is')
  return {values, skipped}
}

function parseLine<T>(line: string, parse: (line: unknown) => T | undefined): T | undefined {
  try {
    return parse(JSON.parse(line))
  } catch {
    return undefined
  }
}
