// HPACK's integers with a prefix of 1 to 8 bits (RFC 7541, 5.1).

/** What no integer of HPACK needs: lengths and numbers beyond it are refused as hostile. */
const largest = 2 ** 28

/** @param first the octet's bits before the prefix */
export function encodeInteger(value: number, prefix: number, first: number): number[] {
  const most = 2 ** prefix - 1
  if (value < most) return [first | value]
  const bytes = [first | most]
  let rest = value - most
  while (rest >= 128) {
    bytes.push((rest % 128) + 128)
    rest = Math.floor(rest / 128)
  }
  bytes.push(rest)
  return bytes
}

export interface Cursor {
  readonly bytes: Buffer
  at: number
}

/** Undefined when it is cut off or too large; the cursor goes on behind it. */
export function decodeInteger(cursor: Cursor, prefix: number): number | undefined {
  const {bytes} = cursor
  const most = 2 ** prefix - 1
  const first = bytes[cursor.at++]
  if (first === undefined) return undefined
  let value = first & most
  if (value < most) return value
  for (let unit = 1; ; unit *= 128) {
    const byte = bytes[cursor.at++]
    // Zeros could go on for ever without the value getting larger.
    if (byte === undefined || unit > largest) return undefined
    value += (byte & 0x7f) * unit
    if (value > largest) return undefined
    if (byte < 128) return value
  }
}
