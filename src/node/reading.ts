// Evidence is a value: a source was read, is not there to be read, or failed. The tool looks at broken nodes.

export type Reading<T> = Read<T> | Absent | Failed

export interface Read<T> {
  readonly state: 'read'
  readonly value: T
  /** The reply broke off or a limit was met: it may be shown, but nothing may be concluded from what it lacks. */
  readonly incomplete?: string
  /** The reply as it came, where the value does not hold all of it: a bundle keeps this. */
  readonly raw?: string
}

/** Nothing to look at here: not captured, not configured, not on this node. */
export interface Absent {
  readonly state: 'absent'
  readonly why: string
}

/** It should be there and could not be read. */
export interface Failed {
  readonly state: 'failed'
  readonly why: string
  /** How long we waited, in milliseconds. */
  readonly tookMs?: number
  /** Where that is certain: nobody listens, nothing was answered in the time that we waited, or we may not ask. */
  readonly kind?: FailedKind
}

export type FailedKind = 'refused' | 'silent' | 'denied'

export function read<T>(value: T, incomplete?: string): Read<T> {
  return incomplete === undefined ? {state: 'read', value} : {state: 'read', value, incomplete}
}

export function absent(why: string): Absent {
  return {state: 'absent', why}
}

export function failed(why: string, tookMs?: number, kind?: FailedKind): Failed {
  return {state: 'failed', why, ...(tookMs !== undefined && {tookMs}), ...(kind !== undefined && {kind})}
}

/** The value, where there is one; it may have broken off. */
export function known<T>(reading: Reading<T>): T | undefined {
  return reading.state === 'read' ? reading.value : undefined
}

/** The value, where nothing of it is missing: something may be concluded from what it lacks. */
export function whole<T>(reading: Reading<T>): T | undefined {
  return reading.state === 'read' && reading.incomplete === undefined ? reading.value : undefined
}

/** The reading with its value converted; a conversion that throws makes it failed, not an exception. */
export function mapReading<T, U>(reading: Reading<T>, convert: (value: T) => U): Reading<U> {
  if (reading.state !== 'read') return reading
  try {
    return read(convert(reading.value), reading.incomplete)
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error))
  }
}
