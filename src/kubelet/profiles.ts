// The kubelet versions that we model. The one place where versions are compared.
import {UserError} from '../base/errors.ts'
import {type SwitchName, switches} from './switches.ts'

export interface Profile {
  readonly version: string
  /** Whether a real kubelet of this version was watched; the timings of the others follow the sources and are unobserved. */
  readonly observed: boolean
  readonly switches: ReadonlySet<SwitchName>
}

/** 1.17.3 lacks all of the documented fixes, 1.36.2 is today's. */
export const profileVersions = ['1.17.3', '1.18.2', '1.21.2', '1.26.5', '1.36.2'] as const

/** Those that were run on a real containerd, with their calls and statuses written down. */
const observed: readonly string[] = ['1.17.3', '1.18.2', '1.26.5']

const today = '1.36.2'

/** The profile of one of the modelled versions. @throws UserError when it is none of them. */
export function profileOf(version: string): Profile {
  const plain = version.replace(/^v/, '')
  if (!(profileVersions as readonly string[]).includes(plain)) {
    throw new UserError(`Cannot use the profile as it must be one of ${profileVersions.join(', ')}: it is '${version}'`)
  }
  const has = Object.values(switches).filter((each) => compareVersions(each.since, plain) <= 0)
  return {version: plain, observed: observed.includes(plain), switches: new Set(has.map((each) => each.name))}
}

/** The newest profile that is not newer than a kubelet's version; today's when the version is unknown. */
export function profileNearest(version: string | undefined): Profile {
  if (version === undefined) return profileOf(today)
  const plain = version.replace(/^v/, '').replace(/[-+].*$/, '')
  const older = profileVersions.filter((each) => compareVersions(each, plain) <= 0)
  return profileOf(older.at(-1) ?? profileVersions[0])
}

function compareVersions(a: string, b: string): number {
  const left = a.split('.').map(Number)
  const right = b.split('.').map(Number)
  for (let index = 0; index < 3; index++) {
    const difference = (left[index] || 0) - (right[index] || 0)
    if (difference !== 0) return difference
  }
  return 0
}
