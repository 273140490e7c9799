// Text in lines of so many columns, broken between words; what goes on is indented.
import {width} from './width.ts'

/** Nobody knows how wide: nothing is broken. */
export const unbounded = Number.POSITIVE_INFINITY

/** @param hang columns by which all lines but the first are indented; the first brings its own */
export function wrap(text: string, columns: number, hang = 0): readonly string[] {
  if (width(text) <= columns) return [text]
  const indent = ' '.repeat(hang)
  const [, margin = '', words = ''] = /^( *)(.*)$/s.exec(text) ?? []
  const lines: string[] = []
  let line = margin
  let isEmpty = true
  for (const {piece, joins} of words.split(' ').flatMap((word) => pieces(word, Math.max(1, columns - Math.max(hang, margin.length))))) {
    const longer = isEmpty ? `${line}${piece}` : `${line}${joins ? '' : ' '}${piece}`
    if (isEmpty || width(longer) <= columns) line = longer
    else {
      lines.push(line)
      line = `${indent}${piece}`
    }
    isEmpty = false
  }
  return [...lines, line]
}

interface Piece {
  readonly piece: string
  /** It goes on with the word that the piece before began. */
  readonly joins: boolean
}

/** A path or a name may be longer than a line: it is broken where it has parts, and anywhere if it has none. */
function pieces(word: string, most: number): readonly Piece[] {
  if (width(word) <= most) return [{piece: word, joins: false}]
  const parts = word.split(/(?<=[-_.,:])|(?=\/)/).flatMap((part) => (width(part) <= most ? [part] : cut(part, most)))
  return parts.map((piece, index) => ({piece, joins: index > 0}))
}

function cut(word: string, most: number): readonly string[] {
  const found: string[] = ['']
  for (const character of word) {
    const last = found.at(-1) ?? ''
    if (last !== '' && width(last + character) > most) found.push(character)
    else found[found.length - 1] = last + character
  }
  return found
}
