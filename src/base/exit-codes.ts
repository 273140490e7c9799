// The exit codes that every command shares.

export const exitCodes = {
  /** Nothing wrong; a scenario did what it expected. */
  clean: 0,
  /** Findings at or above the threshold. */
  findings: 1,
  /** The command line or a file of the user's is wrong. */
  usage: 2,
  /** Could not look: unreachable, no permission, no answer in time. */
  blind: 3,
  /** Something we changed could not be put back: `kubelimbo restore`. */
  dirty: 4,
  /** Refused for safety; nothing was changed. */
  refused: 5,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]
