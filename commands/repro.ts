import {string} from '@oclif/core/args'
import {exitCodes} from '../src/base/exit-codes.ts'
import {BaseCommand} from '../src/cli/command.ts'
import {outputOf} from '../src/cli/flags.ts'
import {onInterrupt} from '../src/cli/interrupted.ts'
import {reproFlags, reproRequest} from '../src/cli/repro-flags.ts'
import {terminalColumns} from '../src/cli/terminal-columns.ts'

export default class Repro extends BaseCommand {
  static override summary = 'Show documented kubelet bugs, before and after their fixes, on a model of the kubelet in simulated time'
  static override description =
    'Each scenario is played on each kubelet. Verdicts: reproduced or fixed, not reproduced or not fixed when it must be and is not, inconclusive when what triggers the bug did not happen.\nExit code: 0 each scenario showed what it expects of each kubelet, 1 one did not (with --switch: the switch changes what its version does), 2 wrong command line or scenario, 3 a real part does not answer, or a bug of kubelimbo, 4 something was left in the runtime.'
  static override examples = [
    '<%= config.bin %> repro',
    '<%= config.bin %> repro failed-becomes-succeeded -v',
    '<%= config.bin %> repro failed-becomes-succeeded --profile 1.17.3 --switch +ends-keep-exits',
    '<%= config.bin %> repro ./my.yaml --profile 1.17.3,1.36.2 -o junit',
    'sudo <%= config.bin %> repro success-without-status --runtime-endpoint unix:///run/containerd/containerd.sock --scale 3',
  ]
  static override strict = false
  static override args = {
    name: string({description: 'scenarios, or files with some (a / or .yaml in the name); all that are shipped when absent'}),
  }
  static override flags = reproFlags

  override async run(): Promise<void> {
    const {argv, flags} = await this.parse(Repro)
    const controller = new AbortController()
    // In simulated time a run is over before anybody could be heard.
    const isReal = flags['runtime-endpoint'] !== undefined || flags['csi-endpoint'] !== undefined
    using _interrupt = isReal ? onInterrupt((reason) => controller.abort(reason)) : undefined
    const request = reproRequest(flags, argv as string[], `kubelimbo ${this.config.version}`, controller.signal)
    const [{repro}, {renderRepro}] = await Promise.all([import('../src/repro.ts'), import('../src/render/repro.ts')])
    const report = await repro({...request, ...(isReal && {onRun: (words: string) => this.tell(words)})})
    this.print(await renderRepro(report, outputOf(flags), terminalColumns(process.env, process.stdout)))
    process.exitCode = report.met ? exitCodes.clean : exitCodes.findings
  }
}
