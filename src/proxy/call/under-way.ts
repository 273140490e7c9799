// How many calls a proxy has that are not over.

/** Counted as they come and go. */
export interface UnderWay {
  /** Whose clients wait for an answer. */
  clients: number
  /** That the server works on, duplicates and those whose clients have gone, too. */
  server: number
}
