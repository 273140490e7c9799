import {BaseCommand} from '../src/cli/command.ts'
import {checkFlags, checkRequest, outputFlags, outputOf} from '../src/cli/flags.ts'

export default class Check extends BaseCommand {
  static override summary = 'Judge a node: what is stuck, why, and what to run next'
  static override description =
    'Looks and changes nothing. What could not be seen is listed; nothing found because nothing was seen is not health.\nExit code: 0 nothing at or above warning, 1 findings, 2 wrong command line, 3 could not look.'
  static override examples = [
    '<%= config.bin %> check',
    '<%= config.bin %> check --from node-7.tar.gz -o json',
    '<%= config.bin %> check --from node-7/ --profile 1.17.3 --now 2026-11-30T03:21:04Z',
  ]
  static override flags = {...checkFlags, ...outputFlags}

  override async run(): Promise<void> {
    const {flags} = await this.parse(Check)
    const request = checkRequest(flags, `kubelimbo ${this.config.version}`)
    const [{check}, {renderCheck}] = await Promise.all([import('../src/check.ts'), import('../src/render/check.ts')])
    const {report, exit, warnings} = await this.work({deadline: flags.deadline, waitingFor: 'the node'}, (machine) =>
      check(request, machine),
    )
    this.print(await renderCheck(report, outputOf(flags)))
    this.complain(warnings)
    process.exitCode = exit
  }
}
