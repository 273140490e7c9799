// What the commands have in common that ask an injector which runs.
import type {ControlClient} from '../proxy/control/control-client.ts'
import {BaseCommand} from './command.ts'
import {controlOf} from './inject-flags.ts'
import {onInterrupt} from './interrupted.ts'
import {owner} from './owner.ts'

export abstract class InjectorCommand extends BaseCommand {
  protected async ask<T>(flags: {readonly control?: string | undefined}, question: (injector: ControlClient) => Promise<T>): Promise<T> {
    const controller = new AbortController()
    using _interrupt = onInterrupt((reason) => controller.abort(reason))
    const {runningInjector} = await import('../inject-control.ts')
    return await question(await runningInjector({...controlOf(flags), owner: owner(), signal: controller.signal}))
  }
}
