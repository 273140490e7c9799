import {boolean} from '@oclif/core/flags'
import {controlFlags} from '../../src/cli/inject-flags.ts'
import {InjectorCommand} from '../../src/cli/injector-command.ts'

export default class InjectPause extends InjectorCommand {
  static override summary = 'Let all calls pass for a while: the rules stay, and have no part in any call'
  static override description = 'Exit code: 0 it is so, 3 no injector runs.'
  static override examples = ['<%= config.bin %> inject pause', '<%= config.bin %> inject pause --off']
  static override flags = {...controlFlags, off: boolean({description: 'the rules have their part again'})}

  override async run(): Promise<void> {
    const {flags} = await this.parse(InjectPause)
    await this.ask(flags, (injector) => injector.pause(!flags.off))
    this.tell(flags.off ? 'The rules have their part again.' : 'No rule has a part in any call until `kubelimbo inject pause --off`.')
  }
}
