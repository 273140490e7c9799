// Where a quoted text ends, however often it was quoted again: klog quotes JSON, and JSON holds what klog quoted.

/** After the opening quote, that has `slashes` before it; to the end of the line when nothing closes it. */
export function quotedEnd(text: string, start: number, slashes: number, quote = '"'): number {
  const newline = text.indexOf('\n', start)
  const limit = newline === -1 ? text.length : newline
  for (let at = text.indexOf(quote, start); at !== -1 && at < limit; at = text.indexOf(quote, at + 1)) {
    const before = slashesBefore(text, at, start)
    // Each quoting doubles the slashes and adds one for the quote.
    if (before < slashes || before % (2 * slashes + 2) !== 2 * slashes + 1) return at - Math.min(before, slashes)
  }
  return limit
}

export function slashesBefore(text: string, end: number, start = 0): number {
  let at = end
  while (at > start && text[at - 1] === '\\') at--
  return end - at
}
