// The body of a request, up to the limit that the real server has. Upstream: apiserver pkg/endpoints/handlers/rest.go, limitedReadBody
import type {IncomingMessage} from 'node:http'
import {ApiError} from './api-status.ts'

const limit = 3 * 1024 * 1024

export async function readBody(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= limit) chunks.push(chunk)
  }
  if (size > limit) throw new ApiError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${limit}`)
  return Buffer.concat(chunks)
}
