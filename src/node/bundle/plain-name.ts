// Names of files inside a bundle: relative, below its top, the same on every system.

/** The name without './', doubled and trailing slashes; undefined when it leads out of the bundle or could on some system. */
export function plainName(name: string): string | undefined {
  if (name.startsWith('/') || /[\\\0]/.test(name)) return undefined
  const parts = name.split('/').filter((part) => part !== '' && part !== '.')
  return parts.includes('..') ? undefined : parts.join('/')
}

/** The name for a sentence on a terminal: no control characters, not endless. */
export function shownName(name: string): string {
  const short = name.length > 120 ? `${name.slice(0, 120)}…` : name
  return `'${short.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`)}'`
}
