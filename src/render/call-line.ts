// A call of a proxy in a few words.
import {formatDuration} from '../base/duration.ts'
import type {TracedCall} from '../proxy/call/traced-call.ts'

/** '03:00:01.123': the day is known to whoever looks. */
export const timeOfDay = (ms: number): string => new Date(ms).toISOString().slice(11, 23)

/** '12ms', '1.2s', '2m 5s' */
export function shortDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)}ms`
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)}s` : formatDuration(ms)
}

/** What the call was about, as far as the proxy knows: the claim before the volume's handle, names before ids. */
export function aboutWords({pvc, volume, container, pod, podUid}: TracedCall): string {
  const whose = pod ?? podUid
  const what = pvc ?? volume ?? container
  return [what, whose === undefined ? undefined : what === undefined ? whose : `of ${whose}`].filter((word) => word !== undefined).join(' ')
}

/** What the server did that the client did not hear; empty when there is nothing. */
export function serverWords({upstream, durationMs}: TracedCall): string {
  if (upstream === undefined) return ''
  const {code, durationMs: took} = upstream
  const after = took - durationMs
  return after > 0
    ? `the server ended with ${code} ${shortDuration(after)} after the client had gone`
    : `the server ended with ${code} after ${shortDuration(took)}`
}
