// What an operation that failed says of the work it began: three classes, told by the outermost error alone. Upstream: volume/util/types/types.go
import type {Profile} from '../profiles.ts'

/** The driver may still be at work, or may have finished unheard. */
export class UncertainProgressError extends Error {
  override readonly name = 'UncertainProgressError'
}

/** The kubelet failed before the call: what was known before is still true. */
export class TransientOperationFailure extends Error {
  override readonly name = 'TransientOperationFailure'
}

/** All other errors, and any of these two that was put into another one's text, mean that nothing is under way. */
export const isOperationFinished = (error: unknown): boolean =>
  !(error instanceof UncertainProgressError || error instanceof TransientOperationFailure)

/** Where nothing is ever uncertain, each error ends what it was about. */
export function uncertainProgress(profile: Profile): (text: string) => Error {
  const known = profile.switches.has('uncertain-mounts')
  return (text) => (known ? new UncertainProgressError(text) : new Error(text))
}
