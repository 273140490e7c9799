// How long a pod's worker waits for volumes. Upstream: volumemanager/volume_manager.go, WaitForAttachAndMount, WaitForUnmount
import type {Clock} from '../../base/clock.ts'
import type {Pod} from '../pod.ts'
import type {Profile} from '../profiles.ts'
import type {ActualWorld} from './actual-world.ts'
import type {DesiredWorld} from './desired-world.ts'
import {usedVolumes} from './used-volumes.ts'

export interface WaitOptions {
  readonly profile: Profile
  readonly clock: Clock
  /** Of the kubelet itself. */
  readonly signal: AbortSignal
  readonly desired: DesiredWorld
  readonly actual: ActualWorld
}

export interface WaitForVolumes {
  untilMounted(pod: Pod, cut: AbortSignal): Promise<void>
  untilUnmounted(pod: Pod, cut: AbortSignal): Promise<void>
}

const retryInterval = 300
/** Three seconds more than two minutes, so that an operation that takes as long as it may can still fail first. */
const timeout = 123_000

export function waitForVolumes({profile, clock, signal, desired, actual}: WaitOptions): WaitForVolumes {
  const cutShort = profile.switches.has('volume-wait-cut')

  /** Why it ended without what was waited for; undefined when it came. */
  const poll = async (uid: string, isDone: () => boolean, cut: AbortSignal): Promise<string | undefined> => {
    const until = clock.now() + timeout
    for (;;) {
      const errors = desired.popErrors(uid)
      if (errors.length > 0) return errors.join('; ')
      if (isDone()) return undefined
      if (clock.now() >= until) return 'timed out waiting for the condition'
      // Its pod may be deleted meanwhile: the worker hears of it when it is through.
      await clock.sleep(retryInterval, cutShort ? cut : signal)
    }
  }

  const isMounted = (uid: string, name: string): boolean => {
    const volume = desired.volumeName(uid, name)
    return volume !== undefined && actual.mountState(volume, uid) === 'VolumeMounted'
  }
  const unmounted = (pod: Pod): string[] =>
    usedVolumes(pod)
      .flatMap(({name}) => (isMounted(pod.metadata.uid, name) ? [] : [name]))
      .sort()

  return {
    untilMounted: async (pod, cut) => {
      const why = await poll(pod.metadata.uid, () => unmounted(pod).length === 0, cut)
      const names = unmounted(pod)
      if (why !== undefined && names.length > 0) throw new Error(`unmounted volumes=[${names.join(' ')}]: ${why}`)
    },
    // One that is uncertain is not waited for.
    untilUnmounted: async ({metadata: {uid}}, cut) => {
      const why = await poll(uid, () => !actual.hasMounted(uid), cut)
      if (why !== undefined && actual.hasMounted(uid)) throw new Error(`mounted volumes=[${actual.mountedNames(uid).join(' ')}]: ${why}`)
    },
  }
}
