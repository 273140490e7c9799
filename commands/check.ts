import {BaseCommand} from '../src/cli/command.ts'
import {checkFlags, checkOutputFlags, checkRequest, outputOf} from '../src/cli/flags.ts'

export default class Check extends BaseCommand {
  static override summary = 'Judge a node: what is stuck, why, and what to run next'
  static override description =
    'Looks and changes nothing. What could not be seen is listed; nothing found because nothing was seen is not health.\nExit code: 0 nothing at or above --fail-on, 1 findings, 2 wrong command line, 3 could not look.\nWith -o nagios: 0 OK, 1 WARNING (warning or info), 2 CRITICAL (critical or error), 3 UNKNOWN (could not look, or wrong command line); what is below --fail-on is OK.\nWith -o npd: 0 nothing at or above --fail-on, 1 findings, 2 unknown.'
  static override examples = [
    '<%= config.bin %> check',
    '<%= config.bin %> check --from node-7.tar.gz -o json',
    '<%= config.bin %> check --from node-7/ --profile 1.17.3 --now 2026-11-30T03:21:04Z',
    '<%= config.bin %> check --baseline yesterday.json -o junit',
  ]
  static override flags = {...checkFlags, ...checkOutputFlags}

  override async run(): Promise<void> {
    const {flags} = await this.parse(Check)
    const output = outputOf(flags)
    const request = checkRequest(flags, `kubelimbo ${this.config.version}`)
    const [{check}, {renderCheck}] = await Promise.all([import('../src/check.ts'), import('../src/render/check.ts')])
    // check_by_ssh takes a word on stderr for a check that failed.
    const quiet = output === 'nagios'
    const tell = (text: string) => (quiet ? undefined : this.tell(text))
    const {report, verdict, warnings} = await this.work({deadline: flags.deadline, waitingFor: 'the node'}, (machine) =>
      check(request, machine, tell),
    )
    const {text, exit} = await renderCheck(report, verdict, output)
    this.print(text)
    if (!quiet) this.complain(warnings)
    process.exitCode = exit
  }
}
