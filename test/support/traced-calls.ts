// Calls as a proxy tells of them.
import type {TracedCall} from '../../src/proxy/call/traced-call.ts'

export const tracedCall = (more: Partial<TracedCall> = {}): TracedCall => ({
  id: 1,
  connection: 1,
  at: Date.UTC(2026, 10, 30, 3, 0, 0),
  service: 'csi.v1.Node',
  method: 'NodeStageVolume',
  timeoutMs: 120_000,
  durationMs: 10,
  code: 'OK',
  requestBytes: 100,
  responseBytes: 5,
  ...more,
})
