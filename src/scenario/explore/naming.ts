// Which changes of the kubelet a violation is about: the smallest set of switches that makes its history pass when they are turned on.
import type {Profile} from '../../kubelet/profiles.ts'
import {type SwitchName, switches} from '../../kubelet/switches.ts'

export type SwitchSet = readonly SwitchName[]

/** Of the same size, the likeliest first. None when not even all of them make it pass. */
export type Naming = readonly SwitchSet[]

/**
 * @param passes whether the history does with that profile
 * @param likely switches of the half that broke: another may mend it by coming earlier or later
 */
export async function nameViolation(
  profile: Profile,
  passes: (profile: Profile) => Promise<boolean>,
  likely: SwitchSet = [],
): Promise<Naming> {
  const lacking = Object.values(switches)
    .map((each): SwitchName => each.name)
    .filter((name) => !profile.switches.has(name))
    .sort((a, b) => Number(likely.includes(b)) - Number(likely.includes(a)))
  const passesWith = (set: SwitchSet) => passes({...profile, switches: new Set([...profile.switches, ...set])})
  if (!(await passesWith(lacking))) return []
  const alone: SwitchSet[] = []
  for (const name of lacking) if (await passesWith([name])) alone.push([name])
  if (alone.length > 0) return alone
  const needed = await least(lacking, passesWith)
  if (needed.length > 2) return [needed]
  // Of all pairs there are too many to try: those with one of these two.
  const pairs = lacking.flatMap((first, index) => lacking.slice(index + 1).map((second): SwitchSet => [first, second]))
  const found: SwitchSet[] = []
  for (const pair of pairs) if (pair.some((name) => needed.includes(name)) && (await passesWith(pair))) found.push(pair)
  return found
}

/** One from which none can be left out; those that came early stay. */
async function least(all: SwitchSet, passesWith: (set: SwitchSet) => Promise<boolean>): Promise<SwitchSet> {
  let set = all
  for (let size = Math.ceil(all.length / 2); size > 0; size = size > 1 ? Math.ceil(size / 2) : 0) {
    for (let end = set.length; end > 0; end -= size) {
      const less = set.toSpliced(Math.max(0, end - size), Math.min(size, end))
      if (less.length < set.length && (await passesWith(less))) set = less
    }
  }
  return set
}
