import {controlFlags} from '../../src/cli/inject-flags.ts'
import {InjectorCommand} from '../../src/cli/injector-command.ts'

export default class InjectClear extends InjectorCommand {
  static override summary = 'Take all rules from an injector that runs; it goes on passing calls'
  static override description = 'Exit code: 0 there is none any more, 3 no injector runs.'
  static override examples = ['<%= config.bin %> inject clear']
  static override flags = controlFlags

  override async run(): Promise<void> {
    const {flags} = await this.parse(InjectClear)
    const removed = await this.ask(flags, (injector) => injector.clear())
    this.tell(removed === 1 ? 'One rule is no longer in force.' : `${removed} rules are no longer in force.`)
  }
}
