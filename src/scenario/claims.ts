// The claims of a scenario with what it leaves out.
import type {BoundClaim} from '../kubelet/pod.ts'
import type {Scenario} from './schema/scenario.ts'

interface Declared {
  readonly claims: readonly Scenario['claims'][number][]
  readonly drivers: readonly Scenario['drivers'][number][]
}

export function claimsOf({claims, drivers}: Declared): readonly BoundClaim[] {
  return claims.map((claim) => ({
    namespace: 'default',
    driver: drivers[0]?.name ?? '',
    volumeName: `pv-${claim.name}`,
    volumeHandle: `vol-${claim.name}`,
    volumeMode: 'Filesystem',
    ...claim,
  }))
}
