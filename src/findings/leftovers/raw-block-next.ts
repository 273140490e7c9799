// What the kubelet does next about what is left of a raw block volume (volume/util/volumepathhandler, csi_block.go).
import {blockDirs} from '../../node/layout.ts'
import {pauses} from '../retries.ts'
import type {RawBlock} from './raw-block-leftovers.ts'

export function leftOverNext({specName, files}: RawBlock): string {
  if (files.some((path) => path.startsWith(`${blockDirs.dev(specName)}/`)))
    return `The kubelet takes the device for one in use as long as the file is there: it sends no NodeUnstageVolume, and looks again ${pauses} while it has the volume.`
  return (
    `A kubelet that saw the pod go repeats NodeUnpublishVolume ${pauses} until it goes well. One that was started since does nothing about it: ` +
    'without a link in the directory of the pod it does not know of the publish, and sends no NodeUnpublishVolume.'
  )
}

export function deviceLostNext(going: boolean): string {
  const undoing = `takes the loop device away, sends NodeUnpublishVolume, and repeats what fails ${pauses}`
  return going ? `The kubelet ${undoing}.` : `The kubelet does nothing about it while the pod runs; when the pod goes it ${undoing}.`
}

export const namelessLoopNext = 'The kubelet does nothing about it: it finds a loop device by the path of its file, and this one has none.'
