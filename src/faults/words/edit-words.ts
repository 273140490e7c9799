// Changes of a message as a part of a sentence, behind 'with'.
import type {Edit} from '../edit.ts'
import {fieldWords, valueWords} from './value-words.ts'

export const editWords = (edits: readonly Edit[]): string => edits.map(words).join(' and ')

function words(edit: Edit): string {
  switch (edit.kind) {
    case 'set':
      return `${edit.path} set to ${valueWords(edit.value)}`
    case 'drop':
      return edit.where === undefined ? `nothing in ${edit.list}` : `no ${edit.list} that have ${fieldWords(edit.where)}`
    case 'duplicate':
      return edit.where === undefined ? `all ${edit.list} twice` : `the ${edit.list} that have ${fieldWords(edit.where)} twice`
    case 'phantom':
      return `one more of ${edit.list}, like the first${Object.keys(edit.entry).length === 0 ? '' : ` but with ${fieldWords(edit.entry)}`}`
    case 'pad':
      return `padding up to ${edit.bytes} bytes`
    default:
      return edit satisfies never
  }
}
