import {exitCodes} from '../../src/base/exit-codes.ts'
import {BaseCommand} from '../../src/cli/command.ts'
import {given, outputFlags, outputOf} from '../../src/cli/flags.ts'
import {injectExplainFlags} from '../../src/cli/inject-flags.ts'

export default class InjectExplain extends BaseCommand {
  static override summary = 'Say what rules do, a sentence each, and how many calls of a recording they would have had'
  static override description = 'Exit code: 0 they can be used, 2 they cannot.'
  static override examples = [
    '<%= config.bin %> inject explain --rules rules.yaml',
    '<%= config.bin %> trace -o jsonl > calls.jsonl; <%= config.bin %> inject explain --rules rules.yaml --against calls.jsonl',
  ]
  static override flags = {...injectExplainFlags, ...outputFlags}

  override async run(): Promise<void> {
    const {flags} = await this.parse(InjectExplain)
    const [{injectExplain}, {renderInjectExplained}] = await Promise.all([
      import('../../src/inject-explain.ts'),
      import('../../src/render/inject-rules.ts'),
    ])
    const {rules, against, seed} = flags
    const explained = await injectExplain({rules, ...given({against, seed})})
    if ('rules' in explained) return this.print(await renderInjectExplained(explained, outputOf(flags)))
    for (const problem of explained.problems) this.tell(`kubelimbo: ${problem}`)
    process.exitCode = exitCodes.usage
  }
}
