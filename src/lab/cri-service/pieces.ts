// The lists that come in pieces. Source: KEP-5825.

const most = 500

/** One piece at least: a client that hears nothing cannot tell an empty list from a broken one. */
export function* inPieces<T>(items: readonly T[]): Generator<T[]> {
  for (let at = 0; at === 0 || at < items.length; at += most) yield items.slice(at, at + most)
}
