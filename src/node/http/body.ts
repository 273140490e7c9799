// The body of a reply, inflated, up to a limit.
import type {IncomingMessage} from 'node:http'
import {createGunzip} from 'node:zlib'
import {HttpFailure} from './failure.ts'

const MiB = 1024 * 1024

/** @throws HttpFailure */
export async function readBody(response: IncomingMessage, limit: number): Promise<string> {
  const tooLarge = () => new HttpFailure('too-large', `its reply is larger than ${limit / MiB} MiB`)
  if (Number(response.headers['content-length'] ?? 0) > limit) throw tooLarge()
  const zipped = response.headers['content-encoding'] === 'gzip'
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of zipped ? inflated(response) : response) {
      size += chunk.length
      // What is inflated may be a thousand times what came.
      if (size > limit) throw tooLarge()
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof HttpFailure) throw error
    const {code} = error as NodeJS.ErrnoException
    const broken = code?.startsWith('Z_') && code !== 'Z_BUF_ERROR' ? 'it says gzip and is none' : `it broke off after ${size} bytes`
    throw new HttpFailure('broken', `its reply cannot be read: ${broken}`)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function inflated(response: IncomingMessage) {
  const gunzip = createGunzip()
  response.on('error', (error) => gunzip.destroy(error))
  return response.pipe(gunzip)
}
