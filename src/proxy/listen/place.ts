// Where a proxy listens: a path of its own, a place that was taken over, a port.
import type {Absence} from './dial.ts'
import type {ProxyAddress} from './proxy-address.ts'

/**
 * Disposing of it ends the listener and nothing else, but for a path of its own, which is taken away when it is still ours. A place that was taken over is not touched then:
 * whoever took it has given it back before, or has left that to its watchdog; `open` and `close` do nothing from the moment it is given back.
 */
export interface Place extends AsyncDisposable {
  /** With the port that it was given, where 0 was asked for. */
  readonly address: ProxyAddress
  /** @throws UserError when somebody else has it */
  open(): Promise<void>
  /** @throws UserError when somebody else has it, or it cannot be changed */
  close(as: Absence): Promise<void>
}
