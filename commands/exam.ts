import {string} from '@oclif/core/args'
import {exitCodes} from '../src/base/exit-codes.ts'
import {BaseCommand} from '../src/cli/command.ts'
import {examFlags, examRequest} from '../src/cli/exam-flags.ts'
import {outputOf} from '../src/cli/flags.ts'
import {onInterrupt} from '../src/cli/interrupted.ts'
import {terminalColumns} from '../src/cli/terminal-columns.ts'

export default class Exam extends BaseCommand {
  static override summary =
    'Ask your CSI driver what a kubelet asks when calls time out, come twice or get lost, and say whether it can live with the answers'
  static override description =
    'Pods with volumes come and go on a model of the kubelet, with your driver in the place of a node; no container runtime and no cluster are needed, and root only if the driver needs it. Volumes are made by its controller and removed at the end.\nVerdicts: passed, failed, inconclusive when what the case is about did not come about, not tried with the reason.\nExit code: 0 passed, 1 a case failed, 2 wrong command line, 3 the driver could not be asked, a case was inconclusive, or none was tried.'
  static override examples = [
    '<%= config.bin %> exam --csi-endpoint unix:///csi/csi.sock',
    '<%= config.bin %> exam late-stage duplicates --csi-endpoint /csi/csi.sock --volume-mode both -o junit > exam.xml',
    "<%= config.bin %> exam driver-restart --csi-endpoint /csi/csi.sock --restart-command 'systemctl restart my-driver'",
  ]
  static override strict = false
  static override args = {case: string({description: 'cases; all when absent'})}
  static override flags = examFlags

  override async run(): Promise<void> {
    const {argv, flags} = await this.parse(Exam)
    const controller = new AbortController()
    using _interrupt = onInterrupt((reason) => controller.abort(reason))
    const request = examRequest(flags, argv as string[], `kubelimbo ${this.config.version}`, controller.signal)
    const [{exam}, {renderExam}] = await Promise.all([import('../src/exam.ts'), import('../src/render/exam.ts')])
    const report = await exam(request)
    this.print(await renderExam(report, outputOf(flags), terminalColumns(process.env, process.stdout)))
    const failed = report.cases.some(({verdict}) => verdict === 'failed')
    process.exitCode = report.passed ? exitCodes.clean : failed ? exitCodes.findings : exitCodes.blind
  }
}
