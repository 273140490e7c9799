// How wide what is printed may be.
import {unbounded} from '../render/wrap.ts'

/** Narrower than that, lines hold no words. */
const narrowest = 40

/** COLUMNS where somebody set it, as for ls; then the terminal. What goes into a pipe or a file is not broken. */
export function terminalColumns(
  {COLUMNS}: {readonly COLUMNS?: string | undefined},
  {columns}: {readonly columns?: number | undefined},
): number {
  const wanted = /^[1-9]\d{0,5}$/.test(COLUMNS ?? '') ? Number(COLUMNS) : columns
  return wanted === undefined || wanted === 0 ? unbounded : Math.max(narrowest, wanted)
}
