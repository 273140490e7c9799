// What an injector tells of itself while it runs.
import type {KubeletRestart} from '../../node/kubelet-facts/restart-words.ts'
import type {TracedCall} from '../call/traced-call.ts'
import type {UnderWay} from '../call/under-way.ts'
import type {SocketFaultChange} from '../listen/gate.ts'
import type {TakeoverEnd} from '../takeover/take-over.ts'
import type {InjectorInfo} from './control-routes.ts'
import type {RuleView} from './rule-view.ts'

/** A server's own socket that the injector has the place of. */
export interface TakenSocket {
  /** Absolute, links resolved. */
  readonly socket: string
  /** Absent: the server does not say. */
  readonly callee?: 'cri' | 'csi'
  /** The journal's path. */
  readonly journal: string
  /** Calls about kube-system pass. */
  readonly protected: boolean
  /** How the kubelet is made to connect anew, where it may have to be. */
  readonly restart?: KubeletRestart
}

export interface InjectStarted extends InjectorInfo {
  readonly control: string
  readonly taken?: TakenSocket
  readonly rules: readonly RuleView[]
}

export interface TakenByRule {
  readonly at: number
  readonly rule: string
  readonly fault: string
  readonly method: string
}

export interface SocketFaultAt extends SocketFaultChange {
  readonly at: number
}

/** 'left dirty': a socket that was taken over could not be given back. */
export type WhyEnded = 'expired' | 'stopped' | 'left dirty' | TakeoverEnd

/** Hears what happens as it happens. */
export interface InjectHears {
  started(started: InjectStarted): void
  /** A rule has a call from now on. */
  took(taken: TakenByRule): void
  /** What came of it for the client, and, once more, for the server. */
  fault(call: TracedCall): void
  /** A fault of the socket begins, or is over. */
  socket(change: SocketFaultAt): void
  trouble(text: string): void
  /** Of a container runtime's socket: what asks there now has the habits of a kubelet. */
  kubelet(at: number): void
  /** The socket is given back, and calls under way have so long. */
  leaving(calls: Readonly<UnderWay>, forMs: number): void
  /** It is healed: there are no rules, no socket and no connections any more. @param cutOff calls that were under way then */
  ended(why: WhyEnded, cutOff: Readonly<UnderWay>): void
}
