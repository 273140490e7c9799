// klog writes the time of the node's zone and does not say which. Where a journal or a runtime wrote the moment before the line, it shows.
import {nearestYear} from '../klog-text.ts'

const before = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:[.,]\d+)?(Z|[+-]\d\d:?\d\d)\s.*?\b[IWEF](\d\d)(\d\d) (\d\d):(\d\d):(\d\d)\.\d{3}/gm

const quarter = 15 * 60_000
const day = 24 * 3_600_000

/** Milliseconds that the log's zone is ahead of UTC: the last line's that has both times; undefined when none has. */
export function zoneShown(text: string): number | undefined {
  let last: RegExpMatchArray | undefined
  for (const match of text.slice(-100_000).matchAll(before)) last = match
  if (last === undefined) return undefined
  const [, iso, zone, ...parts] = last
  const real = Date.parse(`${iso}${zone?.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')}`)
  const local = nearestYear(real, parts.map(Number))
  if (local === undefined) return undefined
  // Zones go by quarters of an hour, and a line waits less than that to be written.
  const ahead = Math.round((local - real) / quarter) * quarter
  return Number.isNaN(ahead) || Math.abs(ahead) > day ? undefined : ahead
}

const header = /^([^\n]*?\b[IWEF])(\d\d)(\d\d) (\d\d):(\d\d):(\d\d)(?=\.\d{3,} +\d+ [^\s\]]+:\d+\])/gm

/** The same log with its moments in UTC, for whoever reads it elsewhere. @param near the moment of the capture, which tells the year. */
export function inUtc(text: string, offset: number, near: number): string {
  if (offset === 0) return text
  return text.replace(header, (whole, before: string, ...parts: string[]) => {
    const at = nearestYear(near + offset, parts.slice(0, 5).map(Number))
    if (at === undefined) return whole
    const [, month, day, time] = /^\d+-(\d\d)-(\d\d)T([\d:]{8})/.exec(new Date(at - offset).toISOString()) ?? []
    return `${before}${month}${day} ${time}`
  })
}
