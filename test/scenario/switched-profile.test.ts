import {expect, test} from 'vitest'
import {profileOf} from '../../src/kubelet/profiles.ts'
import {parseTurns, switchedProfile, turnText} from '../../src/scenario/switched-profile.ts'

test('switchedProfile() turns what it is told to and nothing else', () => {
  const {switches} = switchedProfile('1.17.3', parseTurns('+ends-keep-exits, -stage-once'))
  expect([...switches]).toEqual([...profileOf('1.17.3').switches, 'ends-keep-exits'])
  const today = switchedProfile('1.36.2', parseTurns('-ends-keep-exits'))
  expect(today.switches.has('ends-keep-exits')).toBe(false)
  expect(today.switches.size).toBe(profileOf('1.36.2').switches.size - 1)
})

test.each([
  ['ends-keep-exits', "Cannot use --switch as each must begin with + or -: it is 'ends-keep-exits'"],
  ['+ends-keep-exit', "Cannot use --switch as it must name a switch of the kubelet: it is 'ends-keep-exit'"],
  ['+stage-once,-stage-once', 'Cannot use --switch as each switch must be turned on or off: stage-once is to be both'],
  ['', "Cannot use --switch as each must begin with + or -: it is ''"],
])('parseTurns() does not take %j', (text, says) => {
  expect(() => parseTurns(text)).toThrow(says)
})

test('parseTurns() takes what is said twice once', () => {
  expect(parseTurns('+stage-once,-ends-keep-exits,+stage-once').map(turnText)).toEqual(['+stage-once', '-ends-keep-exits'])
})
