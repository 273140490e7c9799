// Which of the words that there are somebody may have meant.

/** The one that takes the fewest changes; undefined when all are too far. */
export function nearest(word: string, words: readonly string[]): string | undefined {
  const most = Math.max(1, Math.floor(word.length / 3))
  const ranked = words
    .map((each) => ({each, changes: changes(word.toLowerCase(), each.toLowerCase())}))
    .filter((one) => one.changes <= most)
    .sort((a, b) => a.changes - b.changes)
  return ranked[0]?.each
}

/** Up to three that somebody may have meant: the nearest, and those of which the word is a part. */
export function likely(word: string, words: readonly string[]): readonly string[] {
  const near = nearest(word, words)
  const around = word.length < 3 ? [] : words.filter((each) => each.includes(word.toLowerCase()))
  return [...new Set([...(near === undefined ? [] : [near]), ...around])].slice(0, 3)
}

/** Levenshtein's distance. */
function changes(from: string, to: string): number {
  let row = Array.from({length: to.length + 1}, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const same = from[i - 1] === to[j - 1] ? 0 : 1
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same))
    }
    row = next
  }
  return row[to.length] ?? 0
}
