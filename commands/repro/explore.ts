import {cpuMs} from '../../src/base/cpu-time.ts'
import {exitCodes} from '../../src/base/exit-codes.ts'
import {BaseCommand} from '../../src/cli/command.ts'
import {exploreFlags, exploreRequest} from '../../src/cli/explore-flags.ts'
import {outputOf} from '../../src/cli/flags.ts'
import {onInterrupt} from '../../src/cli/interrupted.ts'
import {terminalColumns} from '../../src/cli/terminal-columns.ts'

export default class ReproExplore extends BaseCommand {
  static override summary = 'Play random histories on a model of the kubelet and tell which break what must always hold'
  static override description =
    'Pods, what is done to them and which calls fail come from the seed. What is found is made as small as it gets, and named by the changes of the kubelet that mend it. Ctrl-C ends it and prints what was found until then; once more, and it ends at once.\nExit code: 0 everything held, 1 something did not, 2 wrong command line or what was found could not be saved, 3 a bug of kubelimbo, 130 stopped.'
  static override examples = [
    '<%= config.bin %> repro explore',
    '<%= config.bin %> repro explore --profile 1.18.2 --seed 7 --runs 1000',
    '<%= config.bin %> repro explore --profile 1.36.2 --switch -deleted-when-finished --budget 60s --save found/',
  ]
  static override flags = exploreFlags

  override async run(): Promise<void> {
    const {flags} = await this.parse(ReproExplore)
    const request = exploreRequest(flags, `kubelimbo ${this.config.version}`)
    const controller = new AbortController()
    using _interrupt = onInterrupt((reason) => controller.abort(reason))
    const [{explore}, {renderExplore}] = await Promise.all([import('../../src/explore.ts'), import('../../src/render/explore.ts')])
    // For whoever waits at a terminal: the report has all of it.
    const tell = (text: string) => (process.stderr.isTTY ? this.tell(text) : undefined)
    const {report, cut, unsaved} = await explore(request, {worked: cpuMs, tell, signal: controller.signal})
    this.print(await renderExplore(report, outputOf(flags), terminalColumns(process.env, process.stdout)))
    process.exitCode = report.findings.length === 0 ? exitCodes.clean : exitCodes.findings
    this.regret(unsaved)
    if (!controller.signal.aborted) return
    for (const each of ['stopped: this is what was found until then', ...cut]) this.tell(each)
    throw controller.signal.reason
  }
}
