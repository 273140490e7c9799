// XML 1.0 by hand: elements with attributes and text. What XML cannot hold, not even escaped, is replaced.

// https://www.w3.org/TR/xml/#charsets; a surrogate that is alone is \p{Cs}.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const illegal = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Cs}/gu

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // A reader turns them into blanks otherwise, or both into one.
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
}

/** @param content text, or elements that are XML already. */
export function element(name: string, attributes: Readonly<Record<string, string>>, content: string | readonly string[] = []): string {
  const inTag = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value, /[&<>"\t\n\r]/g)}"`)
  const open = `<${name}${inTag.join('')}`
  if (content.length === 0) return `${open}/>`
  const inside = typeof content === 'string' ? escaped(content, /[&<>\r]/g) : `\n${content.join('\n')}\n`
  return `${open}>${inside}</${name}>`
}

export function xmlDocument(root: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`
}

function escaped(text: string, special: RegExp): string {
  return text.replace(illegal, '\ufffd').replace(special, (character) => entities[character] ?? character)
}
