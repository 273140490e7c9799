// Which answers end an operation (csi_client.go, isFinalError). Applied to NodeStageVolume and NodePublishVolume; since 1.36 also to NodeGetCapabilities
// before them, but for staging a raw block volume.

import {capitalised} from '../../base/capitalised.ts'

export type ErrorClass = 'final' | 'uncertain'

/** The driver may still be at work, or may have finished unheard. */
const uncertain = new Set(['Canceled', 'DeadlineExceeded', 'Aborted', 'ResourceExhausted', 'Unavailable'])

/** @param code the gRPC code's name as Go prints it, or undefined when the error carried none: "unknown, be safe". */
export function errorClass(code: string | undefined): ErrorClass {
  return code === undefined || uncertain.has(code) ? 'uncertain' : 'final'
}

/** 'DEADLINE_EXCEEDED' as Go prints it: 'DeadlineExceeded'. */
export function goCode(code: string): string {
  if (code === 'CANCELLED') return 'Canceled'
  return code
    .split('_')
    .map((word) => capitalised(word.toLowerCase()))
    .join('')
}
