// Rules in words, and what they would have had of a recording.

export interface ExplainedRule {
  readonly name: string
  readonly fault: string
  readonly says: string
  /** Of the recording's calls: those that matched, and those that it would have had. */
  readonly seen?: number
  readonly taken?: number
}

export interface InjectExplained {
  readonly rules: readonly ExplainedRule[]
  /** How many calls the recording has. */
  readonly calls?: number
}
