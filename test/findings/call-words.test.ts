import {expect, test} from 'vitest'
import {callFact} from '../../src/findings/call-words.ts'
import type {CsiCall} from '../../src/kubelet/traces/csi-call.ts'

const startedAt = Date.UTC(2026, 0, 1)
const call: Omit<CsiCall, 'end' | 'isBeginKnown'> = {method: 'NodeStageVolume', handle: 'h1', startedAt}
const timedOut = (at: number): CsiCall['end'] => ({state: 'failed', at, code: 'DeadlineExceeded', retryAt: undefined})

test.each<[string, Pick<CsiCall, 'end' | 'isBeginKnown'>, string]>([
  [
    'is unanswered',
    {isBeginKnown: true, end: {state: 'open'}},
    'NodeStageVolume was called at 2026-01-01T00:00:00Z: the log shows no answer',
  ],
  [
    'failed',
    {isBeginKnown: true, end: timedOut(startedAt + 120_000)},
    'NodeStageVolume was called at 2026-01-01T00:00:00Z: DeadlineExceeded at 2026-01-01T00:02:00Z',
  ],
  [
    'failed, and whose begin is not in the log',
    {isBeginKnown: false, end: timedOut(startedAt)},
    'NodeStageVolume ended at 2026-01-01T00:00:00Z with DeadlineExceeded; the log does not show when it was called, at most 2m before',
  ],
  [
    'went well, and whose begin is not in the log',
    {isBeginKnown: false, end: {state: 'ok', at: startedAt}},
    'NodeStageVolume ended at 2026-01-01T00:00:00Z with OK; the log does not show when it was called, at most 2m before',
  ],
])('callFact() of a call that %s', (_, more, words) => {
  expect(callFact({...call, ...more})).toBe(words)
})
