// Rules in words, and what they would have had of a recording.

export interface ExplainedRule {
  readonly name: string
  readonly fault: string
  readonly says: string
  /** Of the recording's calls: those that matched, and those that it would have had. */
  readonly seen?: number
  readonly taken?: number
  /** Of the recording's calls, those that it may have had: what it goes by is not in the recording. Absent: none. */
  readonly unknown?: number
}

export interface InjectExplained {
  readonly rules: readonly ExplainedRule[]
  /** How many calls the recording has. */
  readonly calls?: number
  /** How many of them rules would have to know the requests of, and the recording has none. Absent: none. */
  readonly undecoded?: number
}
