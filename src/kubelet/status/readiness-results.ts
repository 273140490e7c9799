// What readiness probes say. Upstream: prober/results/results_manager.go

export interface ReadinessResults {
  /** undefined: no probe has said anything yet */
  get(uid: string, container: string): boolean | undefined
  set(uid: string, container: string, ready: boolean): void
  forget(uid: string): void
}

export function readinessResults(): ReadinessResults {
  const results = new Map<string, Map<string, boolean>>()
  return {
    get: (uid, container) => results.get(uid)?.get(container),
    set: (uid, container, ready) => {
      const ofPod = results.get(uid) ?? new Map<string, boolean>()
      results.set(uid, ofPod.set(container, ready))
    },
    forget: (uid) => void results.delete(uid),
  }
}
