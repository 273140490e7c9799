// The lab's CSI drivers as their sockets answer.
import {kubeletRoot} from '../../kubelet/disk.ts'
import type {DriverSocket, Registration, SocketAnswer} from '../../node/csi/sockets.ts'
import type {DiskEntry} from '../../node/disk.ts'
import {read} from '../../node/reading.ts'
import type {Readings} from '../../node/snapshot.ts'
import type {SeenDriver} from './lab-drivers.ts'

export function driverReadings(drivers: readonly SeenDriver[]): Pick<Readings, 'csi.registrations' | 'csi.drivers'> {
  return {'csi.registrations': read(drivers.flatMap(registrationOf)), 'csi.drivers': read(drivers.map(socketOf))}
}

const endpointOf = (name: string): string => `${kubeletRoot}/plugins/${name}/csi.sock`

function registrationOf({name, isRegistered}: SeenDriver): readonly Registration[] {
  if (!isRegistered) return []
  const socket = `${kubeletRoot}/plugins_registry/${name}-reg.sock`
  return [{socket, answer: {state: 'answers'}, type: 'CSIPlugin', name, endpoint: endpointOf(name), versions: ['1.0.0']}]
}

function socketOf({name, version, capabilities, isDown}: SeenDriver): DriverSocket {
  const answer: SocketAnswer = isDown ? {state: 'refused', why: 'connect: connection refused'} : {state: 'answers'}
  return isDown
    ? {socket: endpointOf(name), answer}
    : {socket: endpointOf(name), answer, name, version, ready: true, capabilities, nodeId: 'lab'}
}

/** Their sockets lie on the disk, too. */
export function socketEntries(drivers: readonly SeenDriver[], bootedAt: number): readonly DiskEntry[] {
  const entry = (path: string, type: DiskEntry['type']): DiskEntry => ({
    path,
    type,
    mode: 0o755,
    size: 0,
    modifiedAt: bootedAt,
    device: '254:0',
  })
  return [
    entry('plugins_registry', 'directory'),
    ...drivers.flatMap(({name, isRegistered}) => [
      ...(isRegistered ? [entry(`plugins_registry/${name}-reg.sock`, 'socket')] : []),
      entry(`plugins/${name}`, 'directory'),
      entry(`plugins/${name}/csi.sock`, 'socket'),
    ]),
  ]
}
