// The entries of an archive. A bundle has plain files and folders only: whoever packs anything else into one means harm.
import type {ParsedTarEntry} from 'modern-tar'
import {UserError} from '../../base/errors.ts'
import {inMiB, limits} from './limits.ts'
import {plainName, shownName} from './plain-name.ts'

const refused: Readonly<Record<string, string>> = {
  symlink: 'a symbolic link',
  link: 'a hard link',
  fifo: 'a FIFO',
  'character-device': 'a device',
  'block-device': 'a device',
}

/**
 * The files by their names inside the bundle.
 * @throws UserError naming the first entry that is refused.
 */
export async function collectEntries(entries: AsyncIterable<ParsedTarEntry>, path: string): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>()
  const seen = new Set<string>()
  for await (const {header, body} of entries) {
    const shown = shownName(header.name)
    const name = plainName(header.name)
    const {type = 'file', size} = header
    if (name === undefined) throw new UserError(`Cannot open ${path} as its entries must have plain relative names: one is ${shown}`)
    if (type !== 'file' && type !== 'directory') {
      throw new UserError(`Cannot open ${path} as its entries must be files and folders: ${shown} is ${refused[type] ?? type}`)
    }
    if (size > limits.file)
      throw new UserError(`Cannot open ${path} as a file in it must have at most ${inMiB(limits.file)}: ${shown} has more`)
    if (seen.has(name)) throw new UserError(`Cannot open ${path} as its entries must have different names: ${shown} is there twice`)
    seen.add(name)
    if (seen.size > limits.entries)
      throw new UserError(`Cannot open ${path} as it must have at most ${limits.entries} entries: it has more`)
    if (type === 'file') files.set(name, await whole(body))
  }
  return withoutTopFolder(files)
}

async function whole(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** `tar czf x.tgz folder` puts the folder's name before every other. */
function withoutTopFolder(files: Map<string, Uint8Array>): Map<string, Uint8Array> {
  const [first = ''] = files.keys()
  const top = first.slice(0, first.indexOf('/') + 1)
  if (top === '' || !files.has(`${top}bundle.json`) || [...files.keys()].some((name) => !name.startsWith(top))) return files
  return new Map([...files].map(([name, bytes]) => [name.slice(top.length), bytes]))
}
