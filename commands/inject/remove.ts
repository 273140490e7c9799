import {string} from '@oclif/core/args'
import {controlFlags} from '../../src/cli/inject-flags.ts'
import {InjectorCommand} from '../../src/cli/injector-command.ts'

export default class InjectRemove extends InjectorCommand {
  static override summary = 'Take one rule from an injector that runs'
  static override description =
    'Calls that it has hold on to what it does to them. Exit code: 0 it is gone, 2 there is none of that name, 3 no injector runs.'
  static override examples = ['<%= config.bin %> inject remove stage-hang']
  static override args = {name: string({required: true, description: 'of the rule'})}
  static override flags = controlFlags

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(InjectRemove)
    await this.ask(flags, (injector) => injector.remove(args.name))
    this.tell(`${args.name} is no longer in force.`)
  }
}
