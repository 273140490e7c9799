// The images of the lab: its own is on the node, one of a registry under .invalid can never be pulled (RFC 2606: there is no such name), any other can be.
import {CallFailure} from '../kubelet/port.ts'

export const labImage = 'kubelimbo/lab:1'

export interface Images {
  present(image: string): boolean
  /** @throws CallFailure when no registry has it */
  pulled(image: string): void
}

export function images(): Images {
  const present = new Set([labImage])
  return {
    present: (image) => present.has(image),
    pulled: (image) => {
      const registry = image.split('/', 1)[0] ?? ''
      if (/\.invalid(:\d+)?$/.test(registry)) {
        throw new CallFailure('UNKNOWN', `failed to pull and unpack image "${image}": dial tcp: lookup ${registry}: no such host`)
      }
      present.add(image)
    },
  }
}
