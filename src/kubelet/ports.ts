// What the kubelet needs from outside, as it needs it. The lab has them in memory, sockets later on the wire.
import type {Clock} from '../base/clock.ts'
import type {Dice} from '../base/dice.ts'
import type {BeliefEvent, LogEvent} from '../timeline/event.ts'
import type {CriMethods} from './cri.ts'
import type {CsiMethods} from './csi.ts'
import type {Disk} from './disk.ts'
import type {BoundClaim, Pod, PodStatus} from './pod.ts'
import type {Methods, Port} from './port.ts'

/** Of pods, as the kubelet's client uses it. Writes have the pod's uid as their precondition: 'Conflict' when it is another pod's by now. */
export interface ApiMethods extends Methods {
  'GET pod': {request: {namespace: string; name: string}; response: Pod}
  /** The whole status as it is to be; the diff is the server's business. */
  'PATCH pod/status': {request: {namespace: string; name: string; uid: string; status: PodStatus}; response: Pod}
  /** The claim with its volume: two requests upstream. */
  'GET persistentvolumeclaim': {request: {namespace: string; name: string}; response: BoundClaim}
  /** Grace 0. */
  'DELETE pod': {request: {namespace: string; name: string; uid: string; gracePeriodSeconds: 0}; response: unknown}
}

export type PodEvent = {readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly pod: Pod}

export interface ApiPort extends Port<ApiMethods> {
  /** All pods of the node at first, as ADDED, then each change, in order. Ends with the signal. */
  watchPods(onEvent: (event: PodEvent) => void, signal: AbortSignal): void
}

export type CriPort = Port<CriMethods>
export type CsiPort = Port<CsiMethods>

export interface KubeletPorts {
  readonly clock: Clock
  readonly dice: Dice
  readonly api: ApiPort
  readonly cri: CriPort
  /** Of a driver that is registered. */
  readonly csi: (driver: string) => CsiPort | undefined
  readonly disk: Disk
  readonly log: (event: Omit<LogEvent, 'kind' | 'at'>) => void
  /** Of volumes: no line of the kubelet's log says it, and without it nobody would see why it does what it does. */
  readonly believe: (event: Omit<BeliefEvent, 'kind' | 'at'>) => void
}

/** The fields of the kubelet's configuration file that the model heeds, under their own names. */
export interface KubeletConfig {
  /** Requests a second; absent: the default of the profile. */
  readonly kubeAPIQPS?: number
  readonly kubeAPIBurst?: number
}
