// Kills a pod at once and waits for it, but not for ever. Upstream: pod_workers.go, killPodNow
import type {Clock} from '../../base/clock.ts'

const minTimeout = 10

/**
 * @param graceSeconds half as much again, and 10 s at least, is how long it is waited for
 * @param kill calls `done` when the pod has been killed, or could not be
 */
export async function killPodNow(
  clock: Clock,
  signal: AbortSignal,
  graceSeconds: number,
  kill: (done: (error?: unknown) => void) => void,
): Promise<void> {
  const killed = new Promise<'killed'>((resolve, reject) => {
    kill((error) => (error === undefined ? resolve('killed') : reject(error)))
  })
  const timeout = Math.max(minTimeout, graceSeconds + Math.floor(graceSeconds / 2)) * 1000
  const first = await Promise.race([killed, clock.sleep(timeout, signal)])
  if (first !== 'killed') throw new Error('timeout waiting to kill pod')
}
