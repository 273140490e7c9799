// A request as the handlers see it, and what they answer.
import type {JsonObject} from './json.ts'

export interface ApiRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  /** '' when there is none. */
  readonly accept: string
  /** Without its parameters, in lower case. */
  readonly contentType: string
  readonly body: string
  /** The body as it came. */
  readonly bytes: Uint8Array
  readonly by: 'user' | 'kubelet'
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal
}

export interface ApiReply {
  readonly code: number
  readonly type: string
  readonly body: string | Uint8Array
}

export const json = (document: JsonObject, code = 200, type = 'application/json'): ApiReply => ({
  code,
  type,
  body: `${JSON.stringify(document)}\n`,
})

export const plain = (body: string): ApiReply => ({code: 200, type: 'text/plain; charset=utf-8', body})

/** The client wants this in place of the object or list. */
export function transform(accept: string): 'Table' | 'PartialObjectMetadata' | undefined {
  for (const each of accept.split(',')) {
    const parts = each.split(';').map((part) => part.trim())
    if (parts[0] === 'application/json' && parts.length === 1) return undefined
    if (parts[0] !== 'application/json' || !parts.includes('g=meta.k8s.io') || !parts.includes('v=v1')) continue
    if (parts.includes('as=Table')) return 'Table'
    if (parts.includes('as=PartialObjectMetadata') || parts.includes('as=PartialObjectMetadataList')) return 'PartialObjectMetadata'
  }
  return undefined
}

export const isDryRun = (query: URLSearchParams): boolean => query.getAll('dryRun').includes('All')
