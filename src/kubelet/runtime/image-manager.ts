// Sees to it that a container's image is there. Upstream: images/image_manager.go
import type {Clock} from '../../base/clock.ts'
import type {Container, Pod} from '../pod.ts'
import type {StartFailure} from '../reason-cache.ts'
import type {BackOff} from './back-off.ts'
import type {RemoteRuntime} from './remote-runtime.ts'

export interface ImageManager {
  /** Why it is not there; undefined when it is. */
  ensureImageExists(pod: Pod, container: Container): Promise<StartFailure | undefined>
}

export interface ImageManagerOptions {
  readonly clock: Clock
  readonly runtime: RemoteRuntime
  readonly backOff: BackOff
  readonly signal: AbortSignal
}

export function imageManager({clock, runtime, backOff, signal}: ImageManagerOptions): ImageManager {
  return {
    ensureImageExists: async (pod, {image, imagePullPolicy}) => {
      let present: boolean
      try {
        present = (await runtime('ImageStatus', {image})).present
      } catch {
        signal.throwIfAborted()
        return {reason: 'ImageInspectError', message: `Failed to inspect image "${image}"`}
      }
      if (imagePullPolicy === 'Never' || (imagePullPolicy === 'IfNotPresent' && present)) {
        if (present) return undefined
        const message = `Container image "${image}" is not present with pull policy of Never`
        return {reason: 'ErrImageNeverPull', message}
      }
      const key = `${pod.metadata.uid}_${image}`
      if (backOff.isInBackOffSinceUpdate(key, clock.now())) {
        return {reason: 'ImagePullBackOff', message: `Back-off pulling image "${image}"`}
      }
      try {
        await runtime('PullImage', {image})
      } catch (error) {
        signal.throwIfAborted()
        backOff.next(key, clock.now())
        return {reason: 'ErrImagePull', message: messageOf(error)}
      }
      backOff.gc()
      return undefined
    },
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
