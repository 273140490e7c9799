// The bytes of an open file, up to a limit.
import type {FileHandle} from 'node:fs/promises'

/** Undefined when there are more. By what comes, not by what stat says: a file may grow, and those of /proc have no size. */
export async function readAtMost(file: FileHandle, most: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const {bytesRead, buffer} = await file.read({buffer: new Uint8Array(256 * 1024)})
    if (bytesRead === 0) return Buffer.concat(chunks, size)
    size += bytesRead
    if (size > most) return undefined
    chunks.push(buffer.subarray(0, bytesRead))
  }
}
