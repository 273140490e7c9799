// Where a quoted text ends, however often it was quoted again: klog quotes JSON, and JSON holds what klog quoted.

/** After the opening quote, that has `slashes` before it; to the end of the line when nothing closes it. */
export function quotedEnd(text: string, start: number, slashes: number, quote = '"'): number {
  const stop = quote === "'" ? /['\n]/g : /["\n]/g
  stop.lastIndex = start
  for (let found = stop.exec(text); found !== null; found = stop.exec(text)) {
    const at = found.index
    if (found[0] === '\n') return at
    const before = slashesBefore(text, at, start)
    // Each quoting doubles the slashes and adds one for the quote.
    if (before < slashes || before % (2 * slashes + 2) !== 2 * slashes + 1) return at - Math.min(before, slashes)
  }
  return text.length
}

export function slashesBefore(text: string, end: number, start = 0): number {
  let at = end
  while (at > start && text[at - 1] === '\\') at--
  return end - at
}
