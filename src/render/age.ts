// Ages in crictl's words (docker/go-units, HumanDuration).

const hour = 3_600_000
/** Go's durations end here (2^63 ns, some 292 years); what is older stays there. */
const longest = 9_223_372_036_854

/** @param createdAt nanoseconds since 1970, as CRI has it. @param now milliseconds since 1970. */
export function ageOf(createdAt: bigint, now: number): string {
  return `${humanDuration(now - Number(createdAt / 1000n) / 1000)} ago`
}

/** Rounds down, but hours to the nearest; less than a second for what lies in the future. */
export function humanDuration(milliseconds: number): string {
  const ms = Math.min(milliseconds, longest)
  const seconds = Math.floor(ms / 1000)
  if (seconds < 1) return 'Less than a second'
  if (seconds === 1) return '1 second'
  if (seconds < 60) return `${seconds} seconds`
  const minutes = Math.floor(ms / 60_000)
  if (minutes === 1) return 'About a minute'
  if (minutes < 60) return `${minutes} minutes`
  const hours = Math.floor(ms / hour + 0.5)
  if (hours === 1) return 'About an hour'
  if (hours < 48) return `${hours} hours`
  if (hours < 24 * 7 * 2) return `${Math.floor(hours / 24)} days`
  if (hours < 24 * 30 * 2) return `${Math.floor(hours / 24 / 7)} weeks`
  if (hours < 24 * 365 * 2) return `${Math.floor(hours / 24 / 30)} months`
  return `${Math.floor(Math.floor(ms / hour) / 24 / 365)} years`
}
