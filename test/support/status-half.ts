// The switches of the kubelet's status half. Those of the volumes have no model yet: the findings alone read them.
import {type SwitchName, switches} from '../../src/kubelet/switches.ts'

const volumeHalf: readonly SwitchName[] = [
  'uncertain-mounts',
  'stage-once',
  'orphans-emptied',
  'pod-data-at-setup',
  'reconstruct-uncertain',
]

export const statusHalf: readonly SwitchName[] = Object.values(switches)
  .map(({name}): SwitchName => name)
  .filter((name) => !volumeHalf.includes(name))
