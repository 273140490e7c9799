// How the steps of a pod's sync went. Upstream: container/sync_result.go
import type {StartFailure} from '../reason-cache.ts'

export type SyncAction = 'CreatePodSandbox' | 'StartContainer' | 'KillContainer' | 'KillPodSandbox'

export interface SyncResult {
  readonly action: SyncAction
  /** A container's name, or what else the action is about. */
  readonly container: string
  readonly error?: StartFailure
  /** When the wait of a crashed container ends, in milliseconds since 1970. Upstream: BackoffError, which that of an image is not. */
  readonly backOffUntil?: number
}

export interface PodSyncResult {
  readonly syncResults: readonly SyncResult[]
  /** What went wrong besides. */
  readonly syncError?: string
}

/** Why a pod's sync is to be tried again. */
export class PodSyncError extends Error {
  override readonly name = 'PodSyncError'
  readonly backOffUntil: number | undefined

  constructor(message: string, backOffUntil?: number) {
    super(message)
    this.backOffUntil = backOffUntil
  }
}

export function errorOf({syncResults, syncError}: PodSyncResult): PodSyncError | undefined {
  const failed = syncResults.flatMap((result) => (result.error === undefined ? [] : [{...result, error: result.error}]))
  const texts = failed.map(
    ({action, container, error}) => `failed to "${action}" for "${container}" with ${error.reason}: "${error.message}"`,
  )
  if (syncError !== undefined) texts.unshift(syncError)
  if (texts.length === 0) return undefined
  const ends = failed.flatMap(({backOffUntil}) => (backOffUntil === undefined ? [] : [backOffUntil]))
  return new PodSyncError(texts.join(', '), ends.length === 0 ? undefined : Math.min(...ends))
}
