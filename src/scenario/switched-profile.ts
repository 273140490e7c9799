// A profile with single switches turned: '+name' on, '-name' off.

import {UserError} from '../base/errors.ts'
import {likely} from '../base/nearest.ts'
import {type Profile, profileOf} from '../kubelet/profiles.ts'
import {type SwitchName, switches} from '../kubelet/switches.ts'

export interface Turn {
  readonly name: SwitchName
  readonly on: boolean
}

/** Of '+channel-flushed,-ends-keep-exits', each once. @throws UserError when there is no such switch, or one is to be on and off. */
export function parseTurns(text: string): readonly Turn[] {
  const turns = new Map<SwitchName, Turn>()
  for (const turn of turnsIn(text)) {
    const other = turns.get(turn.name)
    if (other !== undefined && other.on !== turn.on)
      throw new UserError(`Cannot use --switch as each switch must be turned on or off: ${turn.name} is to be both`)
    turns.set(turn.name, turn)
  }
  return [...turns.values()]
}

export const turnText = ({name, on}: Turn): string => `${on ? '+' : '-'}${name}`

function turnsIn(text: string): readonly Turn[] {
  return text.split(',').map((part) => {
    const [, sign, name = ''] = /^\s*([+-])\s*(.*?)\s*$/.exec(part) ?? []
    if (sign === undefined) throw new UserError(`Cannot use --switch as each must begin with + or -: it is '${part}'`)
    const names = Object.values(switches).map((each): SwitchName => each.name)
    const found = names.find((each) => each === name)
    if (found === undefined) {
      const near = likely(name, names)
      const hint = near.length === 0 ? `there are ${names.join(', ')}` : `'${near.join("' or '")}' may be meant`
      throw new UserError(`Cannot use --switch as it must name a switch of the kubelet: it is '${name}'`, {hint})
    }
    return {name: found, on: sign === '+'}
  })
}

/** @throws UserError when the version is none of the modelled ones. */
export function switchedProfile(version: string, turns: readonly Turn[]): Profile {
  const profile = profileOf(version)
  const has = new Set(profile.switches)
  for (const {name, on} of turns) {
    if (on) has.add(name)
    else has.delete(name)
  }
  return {...profile, switches: has}
}
