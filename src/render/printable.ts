// Text from a node may hold anything; a terminal must not obey it.

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g

/** The text with control characters (but tab and newline) and direction overrides shown as \\u escapes. */
export function printable(text: string): string {
  return text.replace(controls, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
