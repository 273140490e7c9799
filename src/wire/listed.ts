// Lists come in pieces from runtimes that stream (Kubernetes 1.36 and later, alpha) and whole from all others.
import {toRpcFailure} from './status.ts'

export interface Listed<T> {
  readonly items: readonly T[]
  /** Why there may be more. */
  readonly incomplete?: string
}

export interface ListCalls<Piece, T> {
  readonly pieces: AsyncIterable<Piece>
  readonly itemsOf: (piece: Piece) => readonly T[]
  /** The call for runtimes that do not stream. */
  readonly whole: () => Promise<readonly T[]>
  /** The streaming one's name. */
  readonly method: string
  readonly signal: AbortSignal
}

/**
 * The stream first, and the whole call when it is UNIMPLEMENTED: one round trip more on the runtimes of today.
 * The kubelet throws away what came before a stream broke; we keep it to be shown.
 */
export async function collect<Piece, T>({pieces, itemsOf, whole, method, signal}: ListCalls<Piece, T>): Promise<Listed<T>> {
  const items: T[] = []
  try {
    for await (const piece of pieces) items.push(...itemsOf(piece))
    return {items}
  } catch (error) {
    const failure = toRpcFailure(error, method)
    // A deadline breaks the stream like anything else; someone who gave up wants nothing any more.
    if (signal.aborted && signal.reason !== failure) throw signal.reason
    if (items.length > 0) return {items, incomplete: `the stream broke after ${items.length}: ${failure.message}`}
    if (failure.code !== 'UNIMPLEMENTED') throw failure
  }
  return {items: await whole()}
}
