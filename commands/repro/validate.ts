import {string} from '@oclif/core/args'
import {exitCodes} from '../../src/base/exit-codes.ts'
import {BaseCommand} from '../../src/cli/command.ts'
import {oneLine} from '../../src/render/escaped.ts'

export default class ReproValidate extends BaseCommand {
  static override summary = 'Say all that is wrong with a scenario, each with its line'
  static override description = 'Exit code: 0 it can be played, 2 it cannot or is not there, 3 a bug of kubelimbo.'
  static override examples = ['<%= config.bin %> repro validate ./my.yaml']
  static override args = {file: string({required: true, description: 'a file with a scenario, or the name of one'})}

  override async run(): Promise<void> {
    const {args} = await this.parse(ReproValidate)
    const {validateScenario} = await import('../../src/repro-validate.ts')
    const {says, problems} = await validateScenario(args.file)
    if (problems.length === 0) this.print(`${oneLine(says)}\n`)
    for (const problem of problems) this.tell(`kubelimbo: ${problem}`)
    process.exitCode = problems.length === 0 ? exitCodes.clean : exitCodes.usage
  }
}
