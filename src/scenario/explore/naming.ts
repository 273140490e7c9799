// Which changes of the kubelet a violation is about: the smallest set of switches that makes its history pass when they are turned on.
import type {Profile} from '../../kubelet/profiles.ts'
import {type SwitchName, switches} from '../../kubelet/switches.ts'

export type SwitchSet = readonly SwitchName[]

/** Of the same size, in the order of the switches. None when not even all of them make it pass. */
export type Naming = readonly SwitchSet[]

/** @param passes whether the history does with that profile */
export async function nameViolation(profile: Profile, passes: (profile: Profile) => Promise<boolean>): Promise<Naming> {
  const lacking = Object.values(switches)
    .map((each): SwitchName => each.name)
    .filter((name) => !profile.switches.has(name))
  const passesWith = (set: SwitchSet) => passes({...profile, switches: new Set([...profile.switches, ...set])})
  if (!(await passesWith(lacking))) return []
  for (const size of [1, 2]) {
    const found: SwitchSet[] = []
    for (const set of setsOf(lacking, size)) if (await passesWith(set)) found.push(set)
    if (found.length > 0) return found
  }
  // Of three and more there are too many to try: one from which none can be left out.
  let set: SwitchSet = lacking
  for (const name of lacking.toReversed()) {
    const less = set.filter((each) => each !== name)
    if (await passesWith(less)) set = less
  }
  return [set]
}

function setsOf(names: SwitchSet, size: number): readonly SwitchSet[] {
  if (size === 1) return names.map((name) => [name])
  return names.flatMap((first, index) => names.slice(index + 1).map((second): SwitchSet => [first, second]))
}
