// Changes of a message as a part of a sentence, behind 'with'.
import type {Edit} from '../edit.ts'
import {cutWords, fieldWords, valueWords} from './value-words.ts'

export const editWords = (edits: readonly Edit[]): string => edits.map(words).join(' and ')

function words(edit: Edit): string {
  const list = 'list' in edit ? cutWords(edit.list) : ''
  switch (edit.kind) {
    case 'set':
      return `${cutWords(edit.path)} set to ${valueWords(edit.value)}`
    case 'drop':
      return edit.where === undefined ? `nothing in ${list}` : `no ${list} that have ${fieldWords(edit.where)}`
    case 'duplicate':
      return edit.where === undefined ? `all ${list} twice` : `the ${list} that have ${fieldWords(edit.where)} twice`
    case 'phantom':
      return `one more of ${list}, like the first${Object.keys(edit.entry).length === 0 ? '' : ` but with ${fieldWords(edit.entry)}`}`
    case 'pad':
      return `padding up to ${edit.bytes} bytes`
    default:
      return edit satisfies never
  }
}
