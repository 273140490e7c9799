import {describe, expect, test} from 'vitest'
import {type Profile, profileOf} from '../../../src/kubelet/profiles.ts'
import {nameViolation} from '../../../src/scenario/explore/naming.ts'

const before = profileOf('1.17.3')
const after = profileOf('1.18.2')
const [first = 'ends-keep-exits', second = 'ends-keep-exits', third = 'ends-keep-exits'] = [...after.switches].filter(
  (name) => !before.switches.has(name),
)

const named = async (passes: (switches: Profile['switches']) => boolean, profile = before) =>
  await nameViolation(profile, async ({switches}) => passes(switches))

describe('nameViolation()', () => {
  test('names each switch that mends it alone', async () => {
    expect(await named((on) => on.has(first))).toEqual([[first]])
    expect(await named((on) => on.has(first) || on.has(second))).toEqual([[first], [second]])
  })

  test('names the likely one first of those that mend it alone', async () => {
    const passes = async ({switches}: Profile) => switches.has(first) || switches.has(second)
    expect(await nameViolation(before, passes, [second])).toEqual([[second], [first]])
  })

  test('names the pair where none does alone', async () => {
    expect(await named((on) => on.has(first) && on.has(second))).toEqual([[first, second]])
  })

  test('names three from which none can be left out', async () => {
    const [set = []] = await named((on) => on.has(first) && on.has(second) && on.has(third))
    expect([...set].toSorted()).toEqual([first, second, third].toSorted())
  })

  test('names none where all of them do not mend it', async () => {
    expect(await named(() => false)).toEqual([])
  })

  test('tries no switch that the kubelet has', async () => {
    const tried = (await named(() => true, after)).flat()
    expect(tried.length).toBeGreaterThan(10)
    expect(tried.filter((name) => after.switches.has(name))).toEqual([])
  })
})
