import {outputFlags, outputOf} from '../../src/cli/flags.ts'
import {controlFlags} from '../../src/cli/inject-flags.ts'
import {InjectorCommand} from '../../src/cli/injector-command.ts'
import {terminalColumns} from '../../src/cli/terminal-columns.ts'

export default class InjectList extends InjectorCommand {
  static override summary = 'Show the rules of an injector that runs, and how many calls each has had'
  static override description = 'Exit code: 0 they are shown, 2 more than one injector runs and --control names none, 3 none runs.'
  static override examples = ['<%= config.bin %> inject list', '<%= config.bin %> inject list -o json | jq -r .rules[].taken']
  static override flags = {...controlFlags, ...outputFlags}

  override async run(): Promise<void> {
    const {flags} = await this.parse(InjectList)
    const {renderInjectorRules} = await import('../../src/render/inject-rules.ts')
    const it = await this.ask(flags, async (injector) => ({...(await injector.info()), ...(await injector.rules())}))
    this.print(await renderInjectorRules(it, outputOf(flags), terminalColumns(process.env, process.stdout)))
  }
}
