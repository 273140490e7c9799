// The injector that runs, for commands that ask it or change what it does.
import {type ControlClient, controlClient} from './proxy/control/control-client.ts'
import type {Owner} from './proxy/control/control-socket.ts'
import {findInjector} from './proxy/control/find-injector.ts'

export interface InjectorChoice {
  /** Its control socket; absent: of the only one that runs. */
  readonly control?: string
  readonly owner: Owner
  readonly signal: AbortSignal
}

/** @throws UserError when it cannot be told which one is meant */
export async function runningInjector({control, owner, signal}: InjectorChoice): Promise<ControlClient> {
  return controlClient(control ?? (await findInjector(owner)), signal)
}
