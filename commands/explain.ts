import {string} from '@oclif/core/args'
import {BaseCommand} from '../src/cli/command.ts'

export default class Explain extends BaseCommand {
  static override summary = 'Say what a code of `check` means, what looks like it and is healthy, and which upstream issues tell of it'
  static override examples = ['<%= config.bin %> explain U01', '<%= config.bin %> explain publish-uncertain']
  static override args = {code: string({required: true, description: 'a code or a name'})}

  override async run(): Promise<void> {
    const {args} = await this.parse(Explain)
    const {explain, explainText} = await import('../src/explain.ts')
    this.print(`${explainText(explain(args.code))}\n`)
  }
}
