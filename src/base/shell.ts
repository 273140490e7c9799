// Words for a POSIX shell. Paths come from whoever names volumes: a command that we print must mean what it says.

const plain = /^[\w@%+=:,./^-]+$/

/** The text as one word; as it is where a shell takes it so. */
export function quoted(text: string): string {
  return plain.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
