// HTML by hand: whatever comes from a scenario or a run is text, never markup.
import {oneLine} from './escaped.ts'

const entities: Readonly<Record<string, string>> = {'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;'}

export const escapedHtml = (text: string): string => oneLine(text).replace(/[&<>"']/g, (character) => entities[character] ?? character)

/** @param content markup already. */
export function tag(name: string, attributes: Readonly<Record<string, string>>, ...content: readonly string[]): string {
  const inTag = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapedHtml(value)}"`)
  return `<${name}${inTag.join('')}>${content.join('')}</${name}>`
}
