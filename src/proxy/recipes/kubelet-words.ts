// What a kubelet does about a fault, by what its version has: sentences with conditions, never a comparison of versions.
import {capitalised} from '../../base/capitalised.ts'
import type {Profile} from '../../kubelet/profiles.ts'
import type {SwitchName} from '../../kubelet/switches.ts'
import type {VolumeMode} from '../../node/claim.ts'

export interface KubeletWords {
  /** All of these changes. */
  readonly has?: SwitchName | readonly SwitchName[]
  /** None of these. */
  readonly lacks?: SwitchName | readonly SwitchName[]
  /** Of such volumes alone. */
  readonly mode?: VolumeMode
  /** One sentence or two. */
  readonly text: string
}

/** @param mode undefined: it is not known, and what is said of either is said */
export function kubeletSentences(words: readonly KubeletWords[], {switches}: Profile, mode?: VolumeMode): readonly string[] {
  return words
    .filter(({has, lacks}) => listed(has).every((each) => switches.has(each)) && !listed(lacks).some((each) => switches.has(each)))
    .filter((each) => each.mode === undefined || mode === undefined || each.mode === mode)
    .map((each) => (each.mode === undefined || mode !== undefined ? capitalised(each.text) : `${modeWords[each.mode]}: ${each.text}`))
}

export const modeWords: Readonly<Record<VolumeMode, string>> = {filesystem: 'A file system', block: 'A raw block volume'}

/** Of those names, none where there is nothing. */
export function listed(names: SwitchName | readonly SwitchName[] | undefined): readonly SwitchName[] {
  return names === undefined ? [] : typeof names === 'string' ? [names] : names
}
