// What stands where a secret was, and a stretch of text that is one.

export const mark = '[redacted]'

/** Counts a value that a rule takes out, and gives what to write instead. */
export type Hit = (rule: string) => string

export interface Span {
  readonly start: number
  readonly end: number
}
