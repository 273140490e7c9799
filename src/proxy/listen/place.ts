// Where a proxy listens: a path of its own, a place that was taken over, a port.
import type {Absence} from './dial.ts'
import type {ProxyAddress} from './proxy-address.ts'

export interface Place {
  /** With the port that it was given, where 0 was asked for. */
  readonly address: ProxyAddress
  /** @throws UserError when somebody else has it */
  open(): Promise<void>
  close(as: Absence): Promise<void>
}
