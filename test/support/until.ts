// Waiting for a program that has no other way to say that it is ready.
import {systemClock} from '../../src/base/clock.ts'

/** Resolves once `ready` does; a rejection means not yet, and after the last try it is the reason. */
export async function until<T>(ready: () => Promise<T>, tries = 300, pauseMs = 100): Promise<T> {
  for (let left = tries; ; left--) {
    try {
      return await ready()
    } catch (error) {
      if (left <= 1) throw error
    }
    await systemClock.sleep(pauseMs)
  }
}
