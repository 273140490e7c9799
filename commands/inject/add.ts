import {controlFlags, rulesToAdd} from '../../src/cli/inject-flags.ts'
import {InjectorCommand} from '../../src/cli/injector-command.ts'
import {ruleFlags} from '../../src/cli/rule-flags.ts'

export default class InjectAdd extends InjectorCommand {
  static override summary = 'Give rules to an injector that runs, behind those that it has'
  static override description = 'Their time begins now. Exit code: 0 all are in force, 2 none is, 3 no injector runs.'
  static override examples = [
    '<%= config.bin %> inject add --fault error --code UNAVAILABLE --method NodePublishVolume --count 3',
    '<%= config.bin %> inject add --rules rules.yaml',
  ]
  static override flags = {...controlFlags, ...ruleFlags}

  override async run(): Promise<void> {
    const {flags} = await this.parse(InjectAdd)
    const text = await rulesToAdd(flags)
    const {rules, warning} = await this.ask(flags, (injector) => injector.add(text))
    if (warning !== undefined) this.complain([warning])
    for (const {name, says} of rules) this.tell(`${name}: ${says}`)
  }
}
