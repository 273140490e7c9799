// A node with one CSI driver and a volume of it, whose sockets say what a test wants.
import type {DriverSocket, Registration, SocketAnswer} from '../../src/node/csi/sockets.ts'
import type {Sources} from '../../src/node/snapshot.ts'
import {at, type SnapshotParts, waitingPod} from './snapshot-builder.ts'

const root = '/var/lib/kubelet'
export const answers: SocketAnswer = {state: 'answers'}
export const down = (state: Exclude<SocketAnswer['state'], 'answers'>): SocketAnswer => ({state, why: `it is ${state}`})

export function registration(driver: string, answer: SocketAnswer, more: Partial<Registration> = {}): Registration {
  const socket = `${root}/plugins_registry/${driver}-reg.sock`
  const said = {type: 'CSIPlugin', name: driver, endpoint: `${root}/plugins/${driver}/csi.sock`}
  return {socket, answer, ...(answer.state === 'answers' && said), ...more}
}

export function driverSocket(driver: string, answer: SocketAnswer, more: Partial<DriverSocket> = {}): DriverSocket {
  return {socket: `${root}/plugins/${driver}/csi.sock`, answer, ...(answer.state === 'answers' && {name: driver}), ...more}
}

export interface CsiNode {
  readonly registrations?: readonly Registration[]
  readonly sockets?: readonly DriverSocket[]
  /** Without the volume nobody needs the driver d. */
  readonly used?: boolean
  readonly files?: readonly string[]
  readonly more?: Partial<Sources>
}

/** Up for a day; one hour after the start of the test. */
export function csiNode({registrations = [], sockets = [], used = true, files = [], more = {}}: CsiNode): SnapshotParts {
  const volData = used ? {'pods/u1/volumes/kubernetes.io~csi/pv1/vol_data.json': {driverName: 'd', volumeHandle: 'h1'}} : {}
  const sources = {
    'csi.registrations': registrations,
    'csi.drivers': sockets,
    'kubelet.pods': [waitingPod('web-0', 'u1', ['c1'], {phase: 'Running', configSource: 'api'})],
    'kernel.boot': {id: 'b', at: at(-86_400)},
    ...more,
  }
  return {seconds: 3600, files, volData, sources}
}
