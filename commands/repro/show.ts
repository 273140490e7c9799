import {string} from '@oclif/core/args'
import {BaseCommand} from '../../src/cli/command.ts'

export default class ReproShow extends BaseCommand {
  static override summary = 'Print a scenario as it is written: to read, or to begin one of your own with'
  static override examples = [
    '<%= config.bin %> repro show failed-becomes-succeeded',
    '<%= config.bin %> repro show failed-becomes-succeeded > my.yaml',
  ]
  static override args = {name: string({required: true, description: 'a scenario, or a file with one'})}

  override async run(): Promise<void> {
    const {args} = await this.parse(ReproShow)
    const {scenarioToShow} = await import('../../src/scenario/shipped.ts')
    this.print(await scenarioToShow(args.name))
  }
}
