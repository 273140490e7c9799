// Fits a text into so many bytes of UTF-8. Whoever cuts it instead cuts through a character.

const ellipsis = '…'

export function cutToBytes(text: string, most: number): string {
  if (Buffer.byteLength(text) <= most) return text
  let kept = ''
  let left = most - Buffer.byteLength(ellipsis)
  // By what a reader takes for one character: of an emoji of several code points, half is another emoji.
  for (const {segment} of new Intl.Segmenter('en', {granularity: 'grapheme'}).segment(text)) {
    left -= Buffer.byteLength(segment)
    if (left < 0) break
    kept += segment
  }
  return `${kept.trimEnd()}${ellipsis}`
}
