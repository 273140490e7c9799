// What the silence of a socket proves: it hangs, or we were in a hurry.
import {formatDuration, parseDuration} from '../../base/duration.ts'
import type {SocketAnswer} from '../../node/csi/sockets.ts'

/**
 * What a socket is given at the default deadline (csi/read-csi.ts). A driver under load takes a second to answer; with a short deadline we are
 * gone before.
 */
export const provenMs = 2000

/** It was waited for long enough to say that it does not answer. */
export function isHung(answer: SocketAnswer): boolean {
  if (answer.state !== 'silent') return false
  const waited = waitedFor(answer)
  return waited === undefined || waited >= provenMs
}

/** It has not answered, and was not waited for long enough. */
export function isUnproven(answer: SocketAnswer): boolean {
  return answer.state === 'silent' && !isHung(answer)
}

/** Milliseconds; undefined when nobody said. */
export function waitedFor({waitedMs, why}: Extract<SocketAnswer, {state: 'silent'}>): number | undefined {
  return waitedMs ?? waitedInWords(why)
}

/** 'it has not answered GetInfo for 510ms': so it ends (wire/channel.ts, wire/session.ts). */
function waitedInWords(why: string): number | undefined {
  const duration = / for (\d+(?:ms|s|m|h|d)(?: \d+(?:s|m|h))?)$/.exec(why)?.[1]
  return duration === undefined ? undefined : parseDuration(duration.replace(' ', ''), 'an answer')
}

export function whyUnproven([first = '', ...others]: readonly string[]): string {
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  return `too early to say whether ${first}${more} will answer: silence counts after ${formatDuration(provenMs)} (a longer --deadline waits longer)`
}
