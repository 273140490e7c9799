// What can be changed in a message: plain data, carried out where messages are at hand. Fields have their JSON names ('sandboxId', 'createdAt').

export type Scalar = string | number | boolean

export type Edit =
  /** Each field that the path leads to; '[]' goes through all entries of a list: 'containers[].state'. */
  | {readonly kind: 'set'; readonly path: string; readonly value: unknown}
  /** Entries of a list leave it, or are in it twice. Absent `where`: all. */
  | {readonly kind: 'drop' | 'duplicate'; readonly list: string; readonly where?: Readonly<Record<string, Scalar>>}
  /** One more entry: the first one's copy with these fields. */
  | {readonly kind: 'phantom'; readonly list: string; readonly entry: Readonly<Record<string, unknown>>}
  /** The message has so many bytes at least. */
  | {readonly kind: 'pad'; readonly bytes: number}
