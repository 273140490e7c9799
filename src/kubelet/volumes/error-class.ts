// Which answers end an operation (csi_client.go, isFinalError). Applied to NodeStageVolume and NodePublishVolume only.

export type ErrorClass = 'final' | 'uncertain'

/** The driver may still be at work, or may have finished unheard. */
const uncertain = new Set(['Canceled', 'DeadlineExceeded', 'Aborted', 'ResourceExhausted', 'Unavailable'])

/** @param code the gRPC code's name as Go prints it, or undefined when the error carried none: "unknown, be safe". */
export function errorClass(code: string | undefined): ErrorClass {
  return code === undefined || uncertain.has(code) ? 'uncertain' : 'final'
}
