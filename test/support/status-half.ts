// The switches of the kubelet's two halves: of the status, and of the volumes.
import {type SwitchName, switches} from '../../src/kubelet/switches.ts'

export const volumeHalf: readonly SwitchName[] = [
  'uncertain-mounts',
  'capability-asked-first',
  'stage-once',
  'orphans-emptied',
  'pod-data-at-setup',
  'reconstruct-uncertain',
  'missing-map-is-unused',
  'unpublished-always',
  'orphan-device-files-removed',
  'failed-claims-wait',
  'csi-mount-subdir-checked',
  'mounts-not-trusted',
  'target-made-by-driver',
  'sandboxes-awaited',
  'orphan-targets-removed',
  'failed-unmount-uncertain',
  'uncertain-undone-early',
  'uncertain-holds-pod',
  'block-staged-once',
  'mount-group-asked',
  'own-operation-first',
  'staging-path-hashed',
  'wanted-reconstructed',
  'stage-json-gone-is-done',
  'access-modes-asked',
  'missing-driver-transient',
  'volume-wait-cut',
  'reconstructed-kept',
  'data-to-stage-only',
  'capability-error-uncertain',
  'pending-asked-first',
]

export const statusHalf: readonly SwitchName[] = Object.values(switches)
  .map(({name}): SwitchName => name)
  .filter((name) => !volumeHalf.includes(name))
