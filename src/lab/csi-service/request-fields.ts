// What a request of CSI must have before a driver looks at it. The codes are the specification's.
import type {VolumeMode} from '../../kubelet/csi.ts'
import {CallFailure} from '../../kubelet/port.ts'
import type {CapacityRange, VolumeCapability} from '../../wire/gen/csi_pb.ts'

export function required(text: string, what: string): string {
  return text === '' ? invalid(`${what} missing in request`) : text
}

/** Absolute, and such as a system call takes. */
export function requiredPath(path: string, what: string): string {
  required(path, what)
  return path.startsWith('/') && !path.includes('\0') ? path : invalid(`${what} must be an absolute path: it is ${JSON.stringify(path)}`)
}

export function requiredMode(capability: VolumeCapability | undefined): VolumeMode {
  if (capability === undefined) return invalid('volume capability missing in request')
  switch (capability.accessType.case) {
    case 'block':
      return 'Block'
    case 'mount':
      return 'Filesystem'
    case undefined:
      return invalid('a volume capability must have an access type: it has none')
    default:
      return capability.accessType satisfies never
  }
}

/** Of all of them one, as no volume has two. */
export function commonMode(capabilities: readonly VolumeCapability[]): VolumeMode {
  const [first, ...others] = capabilities.map(requiredMode)
  if (first === undefined) return invalid('volume capabilities missing in request')
  return others.every((mode) => mode === first) ? first : invalid('a volume cannot have both block and mount access')
}

/** 0: not said. */
export function bytesOf(range: CapacityRange | undefined): {readonly required: bigint; readonly limit: bigint} {
  const {requiredBytes = 0n, limitBytes = 0n} = range ?? {}
  if (requiredBytes < 0n || limitBytes < 0n || (limitBytes > 0n && limitBytes < requiredBytes))
    invalid(`a capacity range must go up from 0: it is from ${requiredBytes} to ${limitBytes}`)
  return {required: requiredBytes, limit: limitBytes}
}

export function invalid(message: string): never {
  throw new CallFailure('INVALID_ARGUMENT', message)
}
