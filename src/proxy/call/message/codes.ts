// gRPC's status codes by number and name.
import {rpcCodes} from '../../../wire/rpc-failure.ts'

const names: readonly string[] = ['OK', ...rpcCodes]

/** A code that nobody knows has its number for a name. */
export function codeName(code: number): string {
  return names[code] ?? `${code}`
}

/** 2, UNKNOWN, for a name that is none. */
export function codeNumber(name: string): number {
  const code = names.indexOf(name)
  if (code >= 0) return code
  return /^\d+$/.test(name) ? Number(name) : 2
}
