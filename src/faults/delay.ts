// The server hears of the call later, or the caller of its answer, or both.
import type {Fault} from './fault.ts'

/**
 * @param before ms; a caller that gives up meanwhile takes the call back: then it is never heard
 * @param after ms; the server has done it then, however long it took
 * @param jitter up to so many ms more of each of the two
 */
export const delay = (before: number, after?: number, jitter = 0): Fault => ({
  kind: 'delay',
  plan:
    after === undefined
      ? {before, forward: 1, upstreamDeadline: 'keep', reply: {kind: 'pass'}}
      : {before, forward: 1, upstreamDeadline: 'strip', reply: {kind: 'hold', ms: after}},
  ...(jitter === 0 ? {} : {jitter}),
})
