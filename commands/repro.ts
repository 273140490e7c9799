import {string} from '@oclif/core/args'
import {BaseCommand} from '../src/cli/command.ts'
import {outputOf} from '../src/cli/flags.ts'
import {reproFlags} from '../src/cli/repro-flags.ts'
import {reproOnKubelet} from '../src/cli/repro-on-kubelet.ts'
import {type ReproPrinter, reproOnModel} from '../src/cli/repro-on-model.ts'

export default class Repro extends BaseCommand {
  static override summary = 'Show documented kubelet bugs, before and after their fixes, on a model of the kubelet in simulated time'
  static override description =
    'Each scenario is played on each kubelet. Verdicts: reproduced or fixed, not reproduced or not fixed when it must be and is not, inconclusive when what triggers the bug did not happen.\nExit code: 0 each scenario showed what it expects of each kubelet, 1 one did not (with --switch: the switch changes what its version does), 2 wrong command line or scenario, 3 a real part does not answer, or a bug of kubelimbo, 4 something was left in the runtime.'
  static override examples = [
    '<%= config.bin %> repro',
    '<%= config.bin %> repro failed-becomes-succeeded -v',
    '<%= config.bin %> repro failed-becomes-succeeded --profile 1.17.3 --switch +ends-keep-exits',
    '<%= config.bin %> repro ./my.yaml --profile 1.17.3,1.36.2 -o junit',
    'sudo <%= config.bin %> repro --kubelet /usr/bin/kubelet',
    'sudo <%= config.bin %> repro success-without-status --runtime-endpoint unix:///run/containerd/containerd.sock --scale 3',
  ]
  static override strict = false
  static override args = {
    name: string({description: 'scenarios, or files with some (a / or .yaml in the name); all that are shipped when absent'}),
  }
  static override flags = reproFlags

  override async run(): Promise<void> {
    const {argv, flags} = await this.parse(Repro)
    const {kubelet} = flags
    const printer: ReproPrinter = {
      names: argv as string[],
      tool: `kubelimbo ${this.config.version}`,
      output: outputOf(flags),
      tell: (text) => this.tell(text),
      print: (text) => this.print(text),
    }
    process.exitCode = await (kubelet === undefined ? reproOnModel(flags, printer) : reproOnKubelet({...flags, kubelet}, printer))
  }
}
