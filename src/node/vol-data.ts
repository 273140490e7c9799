// vol_data.json, by the kubelet's reading rule (pkg/volume/csi/csi_util.go, loadVolumeData): Go's json decoder, into a map of strings.

/** One vol_data.json and what the kubelet makes of it. */
export interface VolDataFile {
  /** Below the kubelet's root. */
  readonly path: string
  /** A string map, or why the kubelet cannot read it. */
  readonly data: VolData | {readonly unreadable: string}
}

export interface VolData {
  readonly specVolID?: string
  readonly volumeHandle?: string
  readonly driverName?: string
  readonly nodeName?: string
  readonly attachmentID?: string
  readonly volumeLifecycleMode?: string
}

const keys = ['specVolID', 'volumeHandle', 'driverName', 'nodeName', 'attachmentID', 'volumeLifecycleMode'] as const

/** The kubelet has no limit. Ours is far above any file it ever wrote: a volume handle has at most 128 bytes (CSI). */
export const volDataLimit = 64 * 1024

/** Of an unreadable file: a kubelet follows the link, or reads it to its end, so that its content is merely unknown (disk/regular-file.ts). */
export function isUnlooked(unreadable: string): boolean {
  return /^it (?:is a link, which is not followed|has (?:more than )?\d+ bytes, and no more than \d+ are looked at)$/.test(unreadable)
}

/** What the kubelet would read: the first JSON value, whatever trails it. Never throws. */
export function readVolData(bytes: Uint8Array): VolDataFile['data'] {
  if (bytes.length > volDataLimit) return {unreadable: `it has ${bytes.length} bytes, and no more than ${volDataLimit} are looked at`}
  // Go's decoder does not skip a byte order mark: keep it, so that it is no white space for us either.
  const text = new TextDecoder('utf-8', {ignoreBOM: true}).decode(bytes)
  const start = text.search(/[^ \t\r\n]/)
  if (start === -1) return {unreadable: bytes.length === 0 ? 'it is empty' : 'it holds only white space'}
  const value = text.slice(start)
  // Decoding null into a map leaves none, and reading from none yields nothing: no error.
  if (value.startsWith('null')) return {}
  if (value[0] !== '{') return {unreadable: whyNoObject(value)}
  const end = endOfObject(value)
  if (end === undefined) return {unreadable: 'it breaks off'}
  return readMembers(value.slice(0, end))
}

function whyNoObject(value: string): string {
  if (value[0] === '\ufeff') return 'it starts with a byte order mark'
  if (value[0] === '[') return 'it is an array, not an object of strings'
  if (value[0] === '"') return 'it is a string, not an object of strings'
  if (/^(true|false)/.test(value)) return 'it is a boolean, not an object of strings'
  if (/^-?\d/.test(value)) return 'it is a number, not an object of strings'
  return ['null', 'true', 'false', '-'].some((literal) => literal.startsWith(value)) ? 'it breaks off' : 'it is no JSON'
}

/** The index behind the brace that closes the one at 0. */
function endOfObject(text: string): number | undefined {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (char === '"') {
      for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === '\\') at++
    } else if (char === '{' || char === '[') depth++
    else if ((char === '}' || char === ']') && --depth === 0) return at + 1
  }
  return undefined
}

// A duplicate key hides the first value from JSON.parse, and Go fails at a first one that is no string: so each member is looked at.
const member = /[{,]\s*("[^"\\]*(?:\\.[^"\\]*)*")\s*:\s*("[^"\\]*(?:\\.[^"\\]*)*"|null)?\s*/y

function readMembers(object: string): VolDataFile['data'] {
  try {
    JSON.parse(object)
  } catch {
    return {unreadable: 'it is no JSON'}
  }
  const values = new Map<string, string>()
  member.lastIndex = 0
  for (let found = member.exec(object); found !== null; found = member.exec(object)) {
    const key = goString(found[1] ?? '""')
    if (found[2] === undefined) return {unreadable: `its '${key}' is not a string`}
    // Decoding null into a string leaves it empty.
    values.set(key, found[2] === 'null' ? '' : goString(found[2]))
  }
  return Object.fromEntries(keys.filter((key) => values.has(key)).map((key) => [key, values.get(key)]))
}

/** Go replaces half a surrogate pair, JavaScript keeps it. */
function goString(literal: string): string {
  return (JSON.parse(literal) as string).toWellFormed()
}
