// The header by which a gRPC client says how long it waits (gRPC over HTTP/2, "Timeout").

const units: Readonly<Record<string, number>> = {H: 3_600_000, M: 60_000, S: 1000, m: 1, u: 1e-3, n: 1e-6}

/** Milliseconds; NaN when it is none. */
export function parseGrpcTimeout(value: string): number {
  const [, digits, unit = ''] = /^(\d{1,8})([HMSmun])$/.exec(value) ?? []
  return digits === undefined ? Number.NaN : Number(digits) * (units[unit] ?? Number.NaN)
}
