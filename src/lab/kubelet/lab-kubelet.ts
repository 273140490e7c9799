// The kubelet of a lab's node as a process: it can end and start again with nothing but what it is told then.
import type {Clock} from '../../base/clock.ts'
import {UserError} from '../../base/errors.ts'
import type {Kubelet} from '../../kubelet/kubelet.ts'
import type {Pod} from '../../kubelet/pod.ts'

/** What somebody sees of it who looks at the node. */
export interface SeenKubelets {
  /** When it started again: the first one has been up for a while when the lab begins. */
  readonly restarts: readonly number[]
  /** What it answers to who asks for its pods; undefined while it is down. */
  readonly pods: readonly Pod[] | undefined
}

export interface LabKubelet {
  restart(downMs: number): void
  evict(uid: string, message: string): void
  readiness(uid: string, container: string, ready: boolean): void
  seen(): SeenKubelets
  /** Its process ends for good. */
  end(): void
}

export function labKubelet(clock: Clock, start: (signal: AbortSignal) => Kubelet): LabKubelet {
  // A probe goes on saying what it says to each kubelet that asks.
  const probes = new Map<string, readonly [uid: string, container: string, ready: boolean]>()
  let process: AbortController | undefined
  let kubelet: Kubelet | undefined
  const restarts: number[] = []
  let over = false
  const run = () => {
    if (over) return
    process = new AbortController()
    kubelet = start(process.signal)
    for (const probe of probes.values()) kubelet.readiness(...probe)
  }
  run()
  return {
    restart: (downMs) => {
      if (kubelet === undefined) throw new UserError('Cannot restart the kubelet as it must run: it is down')
      kubelet = undefined
      process?.abort(new Error('the process of the kubelet has ended'))
      void clock.sleep(downMs).then(() => {
        restarts.push(clock.now())
        run()
      })
    },
    evict: (uid, message) => {
      if (kubelet === undefined) throw new UserError('Cannot evict a pod as the kubelet must run: it is down')
      kubelet.evict(uid, message)
    },
    readiness: (uid, container, ready) => {
      probes.set(`${uid}/${container}`, [uid, container, ready])
      kubelet?.readiness(uid, container, ready)
    },
    seen: () => ({restarts, pods: kubelet?.pods()}),
    end: () => {
      over = true
      kubelet = undefined
      process?.abort(new Error('the process of the kubelet has ended'))
    },
  }
}
