import {cpuMs} from '../../src/base/cpu-time.ts'
import {exitCodes} from '../../src/base/exit-codes.ts'
import {BaseCommand} from '../../src/cli/command.ts'
import {exploreFlags, exploreRequest} from '../../src/cli/explore-flags.ts'
import {outputOf} from '../../src/cli/flags.ts'

export default class ReproExplore extends BaseCommand {
  static override summary = 'Play random histories on a model of the kubelet and tell which break what must always hold'
  static override description =
    'Pods, what is done to them and which calls fail come from the seed. What is found is made as small as it gets, and named by the changes of the kubelet that mend it.\nExit code: 0 everything held, 1 something did not, 2 wrong command line.'
  static override examples = [
    '<%= config.bin %> repro explore',
    '<%= config.bin %> repro explore --profile 1.18.2 --seed 7 --runs 1000',
    '<%= config.bin %> repro explore --profile 1.36.2 --switch -deleted-when-finished --budget 60s --save found/',
  ]
  static override flags = exploreFlags

  override async run(): Promise<void> {
    const {flags} = await this.parse(ReproExplore)
    const request = exploreRequest(flags, `kubelimbo ${this.config.version}`)
    const [{explore}, {renderExplore}] = await Promise.all([import('../../src/explore.ts'), import('../../src/render/explore.ts')])
    const report = await explore(request, {worked: cpuMs, tell: (text) => this.tell(text)})
    this.print(await renderExplore(report, outputOf(flags)))
    process.exitCode = report.findings.length === 0 ? exitCodes.clean : exitCodes.findings
  }
}
