// Which volumes on this node need which driver.
import {oncePer} from '../../base/once-per.ts'
import type {Belief} from '../../kubelet/traces/reconstruct.ts'
import {type PodsHere, podName} from '../pods/pods-here.ts'

export interface DriverUser {
  /** 'pv1', or 'volume <handle>' where nothing names it. */
  readonly label: string
  readonly podUid: string | undefined
  /** What names the driver: below the kubelet's root. */
  readonly path: string
}

/** By the driver's name, from the vol_data.json files of pods and of staging directories. */
export const driverUsers = oncePer((belief: Belief): ReadonlyMap<string, readonly DriverUser[]> => {
  const users = new Map<string, DriverUser[]>()
  const add = (driver: string, user: DriverUser) => {
    const others = users.get(driver)
    if (others === undefined) users.set(driver, [user])
    else others.push(user)
  }
  for (const {driver, specName, podUid, path} of belief.volumes) add(driver, {label: specName, podUid, path})
  for (const {driver, specName, handle, podUid, path} of belief.forgotten) {
    if (driver !== undefined) add(driver, {label: specName ?? `volume ${handle ?? path}`, podUid, path})
  }
  return users
})

/** '2 volumes need it: pv1 of default/web-0, pv2 of no pod'. */
export function describeUsers(users: readonly DriverUser[], pods: PodsHere): string {
  const [count, need] = users.length === 1 ? ['1 volume', 'needs'] : [`${users.length} volumes`, 'need']
  const named = users.slice(0, 3).map(({label, podUid}) => `${label} of ${podUid === undefined ? 'no pod' : podName(pods, podUid)}`)
  return `${count} ${need} it: ${named.join(', ')}${users.length > 3 ? ' …' : ''}`
}
