// A bundle as a tar or tar.gz. Read in one stream into memory; nothing is ever written to the disk.
import type {FileHandle} from 'node:fs/promises'
import {pipeline} from 'node:stream/promises'
import {ReadableStream} from 'node:stream/web'
import {createGunzip} from 'node:zlib'
import {createTarDecoder} from 'modern-tar'
import {firstLine, UserError} from '../../base/errors.ts'
import type {BundleFiles} from './bundle-files.ts'
import {collectEntries} from './entries.ts'
import {inMiB, limits} from './limits.ts'

/** @throws UserError, one sentence, when the archive is broken, too large, or has an entry that a bundle never has. */
export async function archiveFiles(file: FileHandle, path: string): Promise<BundleFiles> {
  const {bytesRead, buffer} = await file.read({buffer: new Uint8Array(512), position: 0}).catch((error) => {
    throw broken(error, path)
  })
  const gzip = buffer[0] === 0x1f && buffer[1] === 0x8b
  if (!gzip && bytesRead < 512) throw noArchive(path)
  const read = async (source: AsyncIterable<Uint8Array>) => collectEntries(decode(capped(source, limits.total, 'inflated', path)), path)
  try {
    const chunks = () => capped(chunksOf(file), limits.archive, 'packed', path)
    const files = gzip ? await pipeline(chunks, createGunzip(), read) : await pipeline(chunks, read)
    return {read: async (name) => files.get(name)}
  } catch (error) {
    throw error instanceof UserError ? error : broken(error, path)
  }
}

// Strict: a header with a wrong checksum or an archive without its end is broken, not shorter.
function decode(source: AsyncIterable<Uint8Array>) {
  return ReadableStream.from(source).pipeThrough(createTarDecoder({strict: true}))
}

async function* chunksOf(file: FileHandle): AsyncGenerator<Uint8Array> {
  for (let position = 0; ; ) {
    const {bytesRead, buffer} = await file.read({buffer: new Uint8Array(64 * 1024), position})
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

/** Stops while it flows: what is over the limit never gets inflated. */
async function* capped(source: AsyncIterable<Uint8Array>, most: number, how: string, path: string): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of source) {
    size += chunk.length
    if (size > most) throw new UserError(`Cannot open ${path} as a bundle must have at most ${inMiB(most)} ${how}: it has more`)
    yield chunk
  }
}

function noArchive(path: string): UserError {
  return new UserError(`Cannot open ${path} as it must be a folder, a tar or a tar.gz: it is none of them`)
}

function broken(error: unknown, path: string): UserError {
  const code = (error as NodeJS.ErrnoException).code ?? ''
  const why = firstLine(error)
  const options = {cause: error, hint: 'Copy it again from where it was made, or give the unpacked folder'}
  if (code === 'Z_BUF_ERROR' || /truncated/i.test(why))
    return new UserError(`Cannot open ${path} as it must be a whole archive: it breaks off`, options)
  if (/^E[A-Z]+$/.test(code)) return new UserError(`Cannot read ${path}: ${why}`, options)
  if (code.startsWith('Z_')) return new UserError(`Cannot open ${path} as it must be a sound tar.gz: it is damaged (${why})`, options)
  return new UserError(`Cannot open ${path} as it must be a tar or a tar.gz: it is none, or damaged (${why})`, options)
}
