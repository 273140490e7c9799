// The lines of a file that may be long, one at a time. What stands for one that is too long is no JSON.
import {constants} from 'node:fs'
import {open} from 'node:fs/promises'
import {firstLine, UserError} from '../../base/errors.ts'
import {recordingLimits} from './limits.ts'

export interface LineLimits {
  readonly line: number
  readonly file: number
}

/** Never waits for a writer, never reads more than the limits have. @throws UserError */
export async function* readLines(path: string, limits: LineLimits = recordingLimits): AsyncGenerator<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY).catch((error: unknown) => {
    throw new UserError(`Cannot read ${path} as it must be a file that can be opened: ${firstLine(error)}`, {cause: error})
  })
  try {
    const stat = await file.stat()
    if (!stat.isFile()) throw new UserError(`Cannot read ${path} as it must be a file: it is none`)
    if (stat.size > limits.file)
      throw new UserError(`Cannot read ${path} as it must have at most ${limits.file} bytes: it has ${stat.size}`)
    yield* splitLines(file.createReadStream({autoClose: false}), limits.line)
  } finally {
    await file.close()
  }
}

async function* splitLines(chunks: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<string> {
  let pieces: Uint8Array[] = []
  let held = 0
  const take = () => {
    const line = held > most ? tooLong : Buffer.concat(pieces).toString()
    pieces = []
    held = 0
    return line
  }
  for await (const chunk of chunks) {
    let from = 0
    for (let to = chunk.indexOf(10); to !== -1; to = chunk.indexOf(10, from)) {
      keep(chunk.subarray(from, to))
      yield take()
      from = to + 1
    }
    keep(chunk.subarray(from))
  }
  if (held > 0) yield take()

  function keep(piece: Uint8Array): void {
    held += piece.length
    if (held > most) pieces = []
    else if (piece.length > 0) pieces.push(piece)
  }
}

/** No JSON: whoever reads lines counts it as one that is none. */
const tooLong = '…'
