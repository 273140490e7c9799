// HPACK's Huffman code (RFC 7541, Appendix B). It is canonical: the lengths alone give the codes, in the order of length and then symbol.

/** Of the symbols 0 to 255 and the end of the string, each a digit of base 36. */
const lengths = [
  'dnsssssssoussussssssssusssssssss6aacd68baa8b8666555666666678f6ca',
  'd67777777777777777777777878djde6f56565666577666567655677777fbeds',
  'kmkkmmmnmnnnnnonoomnonnnnlmnmnnomlkmmnnlnmmolmnnllmlnmnnkmmmnmmn',
  'qqkjmnmpqqqrrqopjlqrrqrollqqsrrrkoklmllnmmppooqnqrqqrrrrrsrrrrrq',
  'u',
].join('')

export const endOfString = 256

export interface HuffmanCode {
  readonly code: number
  readonly length: number
}

export const huffmanCodes: readonly HuffmanCode[] = canonical([...lengths].map((digit) => Number.parseInt(digit, 36)))

function canonical(lengths: readonly number[]): HuffmanCode[] {
  const codes: HuffmanCode[] = lengths.map((length) => ({code: 0, length}))
  const order = lengths.map((length, symbol) => ({length, symbol})).sort((a, b) => a.length - b.length || a.symbol - b.symbol)
  let code = 0
  let last = order[0]?.length ?? 0
  for (const {length, symbol} of order) {
    code <<= length - last
    last = length
    codes[symbol] = {code, length}
    code++
  }
  return codes
}
