// Which pods use a volume, and from when to when: as long as their objects are in the API server.
import type {BoundClaim, Pod} from '../kubelet/pod.ts'
import {usedVolumes} from '../kubelet/volumes/used-volumes.ts'
import type {Event} from '../timeline/event.ts'

/** One pod, or all that use a volume. */
export type Users = {readonly pod: string} | {readonly driver: string; readonly volume: string}

export interface VolumeUsers {
  /** The first moment at or after another at which none of them is there; undefined when that does not come. */
  goneBy(users: Users, from: number): number | undefined
}

interface Life {
  readonly pod: string
  readonly volumes: ReadonlySet<string>
  readonly from: number
  /** Infinity while it is there. */
  until: number
}

export function volumeUsers(events: readonly Event[], claims: readonly BoundClaim[]): VolumeUsers {
  const lives: Life[] = []
  const volumeOf = new Map(claims.map(({namespace, name, driver, volumeHandle}) => [`${namespace}/${name}`, `${driver}^${volumeHandle}`]))
  for (const event of events) {
    if (event.kind !== 'object') continue
    if (event.type === 'ADDED') {
      const {metadata, spec} = event.object as Pod
      const names = usedVolumes({spec}).flatMap((volume) =>
        'persistentVolumeClaim' in volume ? [`${metadata.namespace}/${volume.persistentVolumeClaim.claimName}`] : [],
      )
      const volumes = new Set(names.flatMap((name) => volumeOf.get(name) ?? []))
      lives.push({pod: event.pod, volumes, from: event.at, until: Number.POSITIVE_INFINITY})
    } else if (event.type === 'DELETED') {
      const life = lives.findLast(({pod}) => pod === event.pod)
      if (life !== undefined) life.until = event.at
    }
  }
  return {
    goneBy: (users, from) => {
      const own = lives.filter(({pod, volumes}) => ('pod' in users ? pod === users.pod : volumes.has(`${users.driver}^${users.volume}`)))
      let at = from
      for (;;) {
        const there = own.find((life) => life.from <= at && at < life.until)
        if (there === undefined) return at
        if (there.until === Number.POSITIVE_INFINITY) return undefined
        at = there.until
      }
    },
  }
}
