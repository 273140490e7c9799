// A text of somebody else's for an event: without its secrets, and not longer than is worth reading.
import {mark} from '../../../node/redaction/mark.ts'
import {redactText} from '../../../node/redaction/text.ts'

const most = 2000

export function shownText(text: string): string {
  // What is cut away must not be the end of a secret that is known by its end.
  const redacted = redactText(text.slice(0, 2 * most), () => mark)
  return redacted.length <= most ? redacted : `${redacted.slice(0, most)}…`
}
