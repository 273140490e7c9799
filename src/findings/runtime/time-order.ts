// Attempts of one sandbox or container whose times do not go up with their numbers: the clock went back between them.

export interface Attempt {
  readonly id: string
  readonly attempt: number
  /** Nanoseconds since 1970. */
  readonly createdAt: bigint
}

export interface Inversion {
  /** The higher attempt, with the lower time. */
  readonly earlier: Attempt
  /** The lower attempt, with the higher time. */
  readonly later: Attempt
  /** `earlier` is the highest attempt of all: whoever goes by the time takes another for the newest. */
  readonly newest: boolean
}

/** One for each attempt that is older than one before it: the latest of those is its other half. Times that are none are left out. */
export function inversionsOf(attempts: readonly Attempt[]): Inversion[] {
  const sorted = attempts.filter(({createdAt}) => createdAt > 0n).toSorted((a, b) => a.attempt - b.attempt)
  const highest = sorted.at(-1)?.attempt
  const found: Inversion[] = []
  let latest: Attempt | undefined
  for (const each of sorted) {
    if (latest !== undefined && each.attempt > latest.attempt && each.createdAt < latest.createdAt)
      found.push({earlier: each, later: latest, newest: each.attempt === highest})
    if (latest === undefined || each.createdAt > latest.createdAt) latest = each
  }
  return found
}
