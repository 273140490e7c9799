import {string} from '@oclif/core/args'
import {BaseCommand} from '../src/cli/command.ts'
import {outputFlags, outputOf, whyFlags, whyRequest} from '../src/cli/flags.ts'

export default class Why extends BaseCommand {
  static override summary = 'Explain a pod, a claim or a path: the chain from the symptom to the root, what comes next, and what to run'
  static override description =
    'Looks and changes nothing.\nExit code: 0 nothing is stuck here, 1 it is stuck, 2 wrong command line or no such pod, 3 could not look, or nothing that was seen says why.'
  static override examples = [
    '<%= config.bin %> why default/web-0',
    '<%= config.bin %> why PVC default/data --from node-7.tar.gz',
    '<%= config.bin %> why /var/lib/kubelet/pods/0e1b2c3d-1111-2222-3333-444455556666 -o json',
  ]
  static override args = {
    what: string({required: true, description: 'NAMESPACE/POD, an absolute path, or PVC'}),
    name: string({description: 'after PVC: NAMESPACE/NAME'}),
  }
  static override flags = {...whyFlags, ...outputFlags}

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(Why)
    const words = args.name === undefined ? [args.what] : [args.what, args.name]
    const request = whyRequest(flags, words, `kubelimbo ${this.config.version}`)
    const [{why}, {renderWhy}] = await Promise.all([import('../src/why.ts'), import('../src/render/why.ts')])
    const {report, exit, warnings} = await this.work({deadline: flags.deadline, waitingFor: 'the node'}, (machine) => why(request, machine))
    this.print(await renderWhy(report, outputOf(flags)))
    this.complain(warnings)
    process.exitCode = exit
  }
}
