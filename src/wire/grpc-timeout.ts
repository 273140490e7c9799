// The header by which a gRPC client says how long it waits (gRPC over HTTP/2, "Timeout").

/** Nanoseconds: whole numbers, so that a sum of milliseconds has no dust behind it. */
const units: Readonly<Record<string, number>> = {H: 3600e9, M: 60e9, S: 1e9, m: 1e6, u: 1000, n: 1}

/** Milliseconds; NaN when it is none. */
export function parseGrpcTimeout(value: string): number {
  const [, digits, unit = ''] = /^(\d{1,8})([HMSmun])$/.exec(value) ?? []
  return digits === undefined ? Number.NaN : (Number(digits) * (units[unit] ?? Number.NaN)) / 1e6
}
