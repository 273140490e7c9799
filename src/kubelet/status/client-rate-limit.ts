// How often the kubelet asks the API server. Upstream: client-go/util/flowcontrol/throttle.go; apis/config/v1beta1/defaults.go
import type {Clock} from '../../base/clock.ts'
import type {KubeletConfig} from '../ports.ts'
import type {Profile} from '../profiles.ts'

export interface RateLimiter {
  /** Resolves when the caller may go on: in the order in which they asked. */
  wait(signal: AbortSignal): Promise<void>
}

export function clientRateLimit(profile: Profile, config: KubeletConfig, clock: Clock): RateLimiter {
  const [qps, burst] = profile.switches.has('client-fifty-qps') ? [50, 100] : [5, 10]
  return tokenBucket(config.kubeAPIQPS ?? qps, config.kubeAPIBurst ?? burst, clock)
}

/** Full at first; told by when it is full again instead of by its tokens, which keeps moments whole. */
export function tokenBucket(qps: number, burst: number, clock: Clock): RateLimiter {
  const refill = 1000 / qps
  let fullAt = clock.now()
  return {
    wait: async (signal) => {
      fullAt = Math.max(fullAt, clock.now()) + refill
      const wait = fullAt - clock.now() - burst * refill
      if (wait > 0) await clock.sleep(wait, signal)
    },
  }
}
