// Names and labels come from whoever may create a pod: nothing of them may reach a terminal as a command.

/** Controls of both sets, line separators, and what changes the direction of the text around it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const unprintable = /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Cs}/gu

const short: Readonly<Record<string, string>> = {'\n': '\\n', '\r': '\\r', '\t': '\\t'}

/** The text on one line, escapes shown as such. */
export function oneLine(text: string): string {
  return text.replace(unprintable, (character) => short[character] ?? escaped(character, '\\x'))
}

/** JSON text that means the same; JSON.stringify lets the second set of controls through. */
export function escapedJson(json: string): string {
  return json.replace(unprintable, (character) => (character === '\n' ? character : escaped(character, '\\u00')))
}

function escaped(character: string, byte: string): string {
  const code = character.charCodeAt(0)
  return code < 0x100 ? `${byte}${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`
}
