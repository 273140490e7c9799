// '5m30s', '2d3h': ages as kubectl's columns have them. Upstream: apimachinery pkg/util/duration/duration.go, HumanDuration
import {readInstant} from '../../base/instant.ts'

export function humanDuration(ms: number): string {
  const seconds = Math.trunc(ms / 1000)
  if (seconds < -1) return '<invalid>'
  if (seconds < 0) return '0s'
  if (seconds < 120) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 10) return two(minutes, 'm', seconds % 60, 's')
  if (minutes < 180) return `${minutes}m`
  const hours = Math.floor(minutes / 60)
  if (hours < 8) return two(hours, 'h', minutes % 60, 'm')
  if (hours < 48) return `${hours}h`
  const days = Math.floor(hours / 24)
  if (days < 8) return two(days, 'd', hours % 24, 'h')
  if (days < 365 * 2) return `${days}d`
  const years = Math.floor(days / 365)
  return days < 365 * 8 ? two(years, 'y', days % 365, 'd') : `${years}y`
}

const two = (more: number, unit: string, less: number, lesser: string): string =>
  less === 0 ? `${more}${unit}` : `${more}${unit}${less}${lesser}`

export function age(instant: unknown, now: number): string {
  const then = readInstant(instant)
  return then === undefined ? '<unknown>' : humanDuration(now - then)
}
