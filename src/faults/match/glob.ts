// Words in which '*' stands for any letters, none among them.

/** Without a regular expression, so that no word takes longer than its length times the pattern's. */
export function isLike(text: string, pattern: string): boolean {
  if (!pattern.includes('*')) return text === pattern
  const [first = '', ...others] = pattern.split('*')
  const last = others.pop() ?? ''
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false
  let at = first.length
  for (const part of others) {
    const found = text.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return at <= text.length - last.length
}
