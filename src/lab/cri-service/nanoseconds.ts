// Moments and lengths are milliseconds in the lab and nanoseconds on the wire.

/** A clock may count parts of a millisecond, and nanoseconds since 1970 are too many for a number. */
export function nanoseconds(ms: number): bigint {
  const whole = Math.floor(ms)
  return BigInt(whole) * 1_000_000n + BigInt(Math.round((ms - whole) * 1e6))
}
