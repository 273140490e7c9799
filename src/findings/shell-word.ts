// Commands are printed to be copied: what comes from a node must stay one word of the shell, whatever is in it.

/** The text as one word of a POSIX shell; with controls in it, of bash. */
export function shellWord(text: string): string {
  if (/^[\w@%+=:,./~-]+$/.test(text) && !/^[~=-]/.test(text)) return text
  if (!/\p{Cc}/u.test(text)) return `'${text.replaceAll("'", `'\\''`)}'`
  const escaped = text.replace(/[\\']/g, '\\$&').replace(/\p{Cc}/gu, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return `$'${escaped}'`
}
