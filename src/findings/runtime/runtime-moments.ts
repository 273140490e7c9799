// Moments of a runtime, which are nanoseconds since 1970, as ours, which are milliseconds. Runtimes have said 0, seconds and the year 1754.

/** Undefined for zero and less, which is what a runtime says that does not know. */
export function toldMoment(nanoseconds: bigint): number | undefined {
  return nanoseconds > 0n ? Number(nanoseconds / 1_000_000n) : undefined
}

/** Undefined for what cannot be. */
export function plausibleMoment(nanoseconds: bigint, when: number): number | undefined {
  return plausible(Number(nanoseconds / 1_000_000n), when)
}

export function plausible(ms: number, when: number): number | undefined {
  return ms > Date.UTC(2000) && ms <= when ? ms : undefined
}
