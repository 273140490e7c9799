import {boolean, string} from '@oclif/core/flags'
import {BaseCommand} from '../src/cli/command.ts'
import {given, listFlags, listRequest, listStyle} from '../src/cli/flags.ts'

export default class Ps extends BaseCommand {
  static override summary = "List containers as crictl does, with what the kubelet says of each one's pod and a verdict"
  static override description =
    'Only running containers, unless -a, -s, -l or -n say otherwise. JSON and YAML have the shape of `crictl ps`.'
  static override examples = [
    '<%= config.bin %> ps -a',
    '<%= config.bin %> ps -p 1f73f2d81bf98 -o yaml',
    '<%= config.bin %> ps -aq --state exited',
    '<%= config.bin %> ps -a --from node-7/',
  ]
  static override flags = {
    ...listFlags,
    all: boolean({char: 'a', description: 'in all states, not only running ones'}),
    pod: string({char: 'p', helpValue: 'POD-ID', description: 'only of this pod; the beginning of its id is enough'}),
    image: string({helpValue: 'IMAGE', description: 'only of this image, by any of its names'}),
  }

  override async run(): Promise<void> {
    const {flags} = await this.parse(Ps)
    const request = {...listRequest(flags), ...given({podId: flags.pod, image: flags.image}), all: flags.all}
    const [{ps}, {renderPs}] = await Promise.all([import('../src/ps.ts'), import('../src/render/crictl-ps.ts')])
    const report = await this.work({deadline: flags.deadline, waitingFor: 'the runtime'}, (machine) => ps(request, machine))
    this.print(await renderPs(report, listStyle(flags)))
    this.complain(report.warnings, report.incomplete)
  }
}
