import {BaseCommand} from '../../src/cli/command.ts'
import {outputFlags, outputOf} from '../../src/cli/flags.ts'
import {terminalColumns} from '../../src/cli/terminal-columns.ts'

export default class ReproList extends BaseCommand {
  static override summary = 'List the scenarios that are shipped'
  static override examples = ['<%= config.bin %> repro list', '<%= config.bin %> repro list -o json']
  static override flags = outputFlags

  override async run(): Promise<void> {
    const {flags} = await this.parse(ReproList)
    const [{scenarioList}, {renderScenarioList}] = await Promise.all([
      import('../../src/scenario/scenario-list.ts'),
      import('../../src/render/repro-list.ts'),
    ])
    this.print(
      await renderScenarioList(
        await scenarioList(`kubelimbo ${this.config.version}`),
        outputOf(flags),
        terminalColumns(process.env, process.stdout),
      ),
    )
  }
}
