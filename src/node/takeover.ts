// Journals of sockets that kubelimbo took over (/run/kubelimbo/takeover/*.json): what is left of one is to be restored.

export interface TakeoverJournal {
  /** Absolute. */
  readonly path: string
  /** The socket that was taken over; absent when the journal cannot be read. */
  readonly socket?: string
  /** Milliseconds since 1970. */
  readonly expiresAt?: number
  readonly unreadable?: string
}
