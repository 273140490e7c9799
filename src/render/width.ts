// How many columns of a terminal a text takes.

/** East Asian Wide and Fullwidth (UAX #11), in whole blocks, and the pictographs that terminals draw wide. */
const wide: readonly (readonly [first: number, last: number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f64f],
  [0x1f680, 0x1f6ff],
  [0x1f900, 0x1f9ff],
  [0x20000, 0x3fffd],
]

const ascii = /^[ -~]*$/
/** Marks that stand over the character before them, and joiners. */
const zero = /^[\p{Mn}\p{Me}\p{Cf}]$/u

export function width(text: string): number {
  if (ascii.test(text)) return text.length
  let columns = 0
  for (const character of text) columns += columnsOf(character)
  return columns
}

function columnsOf(character: string): number {
  if (zero.test(character)) return 0
  const code = character.codePointAt(0) ?? 0
  return wide.some(([first, last]) => code >= first && code <= last) ? 2 : 1
}
