import {BaseCommand} from '../src/cli/command.ts'
import {listFlags, listRequest, listStyle} from '../src/cli/flags.ts'

export default class Pods extends BaseCommand {
  static override summary = 'List pod sandboxes as crictl does, with what the kubelet says of each and a verdict'
  static override description =
    'Below the sandboxes stand the pods that the kubelet knows and for which the runtime has none. JSON and YAML have the shape of `crictl pods`.'
  static override examples = [
    '<%= config.bin %> pods',
    '<%= config.bin %> pods --namespace kube-system -s notready',
    '<%= config.bin %> pods -o json | jq -r .items[].metadata.name',
    '<%= config.bin %> pods --from node-7/',
  ]
  static override flags = listFlags

  override async run(): Promise<void> {
    const {flags} = await this.parse(Pods)
    const request = listRequest(flags)
    const [{pods}, {renderPods}] = await Promise.all([import('../src/pods.ts'), import('../src/render/crictl-pods.ts')])
    const report = await this.work({deadline: flags.deadline, waitingFor: 'the runtime'}, (machine) => pods(request, machine))
    this.print(await renderPods(report, listStyle(flags)))
    this.complain(report.warnings, report.incomplete)
  }
}
