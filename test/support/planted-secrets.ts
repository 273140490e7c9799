// Secrets that a test plants, one for each place, and a search for them in every form in which they could get out.
import {createHash} from 'node:crypto'
import {readdirSync, readFileSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {gunzipSync} from 'node:zlib'

export interface Planted {
  readonly place: string
  /** What nothing else looks like: whatever is put around it or escaped, this stays. */
  readonly core: string
}

export interface Garden {
  /** A secret for a place, without a character that any format would escape. */
  plain(place: string): string
  /** The same with quotes, a line break, a backslash and what JSON may write as an escape. */
  awkward(place: string): string
  readonly planted: readonly Planted[]
}

export function garden(): Garden {
  const planted = new Map<string, Planted>()
  const coreOf = (place: string) => {
    const core = `pL4n${createHash('sha256').update(place).digest('hex').slice(0, 20)}tEd`
    planted.set(place, {place, core})
    return core
  }
  return {
    plain: coreOf,
    awkward: (place) => `"<${coreOf(place)}>&\\\n'\u00e4`,
    get planted() {
      return [...planted.values()]
    },
  }
}

/** Base64 of a text depends on where in the whole it begins: three forms, without the letters that its neighbours have a part in. */
function base64Forms(core: string): string[] {
  return [0, 1, 2].map((shift) => {
    const encoded = Buffer.from('\0'.repeat(shift) + core).toString('base64')
    const from = shift === 0 ? 0 : 4
    const whole = Math.floor((shift + core.length) / 3) * 4
    return encoded.slice(from, whole)
  })
}

function formsOf(core: string): string[] {
  const base64 = base64Forms(core)
  const url = base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'))
  const hex = Buffer.from(core).toString('hex')
  const escaped = [...core].map((character) => `\\u00${character.charCodeAt(0).toString(16)}`).join('')
  return [...new Set([core, JSON.stringify(core).slice(1, -1), ...base64, ...url, hex, hex.toUpperCase(), escaped])]
}

/** 'place in where', sorted. */
export function foundIn(where: string, bytes: Buffer, planted: readonly Planted[]): string[] {
  return planted.filter(({core}) => formsOf(core).some((form) => bytes.includes(form))).map(({place}) => `${place} in ${where}`)
}

/** Every file below a folder as it is, and what is compressed unpacked, too. Sockets have no bytes. */
export function filesBelow(folder: string): ReadonlyMap<string, Buffer> {
  const files = new Map<string, Buffer>()
  for (const name of readdirSync(folder, {recursive: true, encoding: 'utf8'}).sort()) {
    const path = join(folder, name)
    // The names of files count as well.
    files.set(`the name of ${name}`, Buffer.from(name))
    if (!statSync(path, {throwIfNoEntry: false})?.isFile()) continue
    const bytes = readFileSync(path)
    files.set(name, bytes)
    if (bytes[0] === 0x1f && bytes[1] === 0x8b) files.set(`${name}, unpacked`, gunzipSync(bytes))
  }
  return files
}

export function foundBelow(folder: string, planted: readonly Planted[]): string[] {
  return [...filesBelow(folder)].flatMap(([name, bytes]) => foundIn(name, bytes, planted))
}
