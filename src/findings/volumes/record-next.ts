// What the kubelet does next about a vol_data.json that it cannot use: it needs the file for the undoing and never writes it for that.
import type {Profile} from '../../kubelet/profiles.ts'
import {pauses} from '../retries.ts'
import type {BrokenRecord} from './broken-records.ts'
import type {RecordStanding} from './record-standing.ts'

export function recordNext({kind}: BrokenRecord, {verdict, pod, podUid}: RecordStanding, {switches}: Profile): string {
  if (verdict === 'harmless') return 'The kubelet does nothing about it, as it has nothing to undo.'
  if (verdict === 'young') return 'The kubelet writes the file or removes its directory in its next step, which a call of 2m may hold up.'
  if (kind === 'staging')
    return `The kubelet reads the file when no pod on this node wants the volume any more; it then tries NodeUnstageVolume in vain, ${pauses}.`
  if (podUid === undefined)
    return switches.has('reconstruct-uncertain')
      ? 'The kubelet cannot tell which volume it is: it tries once after a start to unmount it, and forgets it then.'
      : 'The kubelet cannot tell which volume it is: it only tries after a start to unmount it.'
  return pod?.deletedAt === undefined
    ? `The kubelet does nothing about it until the pod goes; it then tries to unmount the volume in vain, ${pauses}.`
    : `The kubelet tries to unmount the volume in vain, ${pauses}, and the pod stays until that went well.`
}
