// A tar archive in the ustar format, as an OCI layer and an image archive need it: folders, files and links below the archive's root.
import {Buffer} from 'node:buffer'

export type TarEntry =
  | {readonly path: string; readonly type: 'folder'}
  | {readonly path: string; readonly type: 'file'; readonly content: Uint8Array; readonly mode?: number}
  | {readonly path: string; readonly type: 'link'; readonly target: string}

const block = 512
const typeFlags = {file: '0', link: '2', folder: '5'} as const

/** The same entries give the same bytes: owner root, time 0. */
export function tar(entries: readonly TarEntry[]): Buffer {
  const parts = entries.flatMap((entry) => {
    const content = entry.type === 'file' ? entry.content : new Uint8Array()
    return [header(entry, content.length), content, Buffer.alloc((block - (content.length % block)) % block)]
  })
  return Buffer.concat([...parts, Buffer.alloc(2 * block)])
}

function header(entry: TarEntry, size: number): Buffer {
  const bytes = Buffer.alloc(block)
  const mode = entry.type === 'file' ? (entry.mode ?? 0o644) : 0o755
  const put = (text: string, at: number, length: number) => {
    if (Buffer.byteLength(text) > length) throw new Error(`Cannot write a tar header as '${text}' is longer than ${length} bytes`)
    bytes.write(text, at)
  }
  const octal = (value: number, at: number, length: number) => put(value.toString(8).padStart(length - 1, '0'), at, length)
  put(entry.path, 0, 100)
  octal(mode, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(size, 124, 12)
  octal(0, 136, 12)
  put(' '.repeat(8), 148, 8)
  put(typeFlags[entry.type], 156, 1)
  if (entry.type === 'link') put(entry.target, 157, 100)
  put('ustar\0' + '00', 257, 8)
  const sum = bytes.reduce((total, byte) => total + byte, 0)
  put(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 8)
  return bytes
}
