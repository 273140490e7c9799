import {BaseCommand} from '../src/cli/command.ts'
import {outputFlags, outputOf, snapshotFlags, snapshotRequest} from '../src/cli/flags.ts'

export default class Drivers extends BaseCommand {
  static override summary = 'List CSI drivers: who is registered, who answers, what each can do, and how many volumes of it are here'
  static override description =
    'Asks only what changes nothing, and never tells a registration anything. A driver that only a vol_data.json names is listed, too.\n"registered: yes" means that the registration answers as the kubelet wants it; what the kubelet made of it is in its memory only.\nExit code: 3 when not everything could be seen.'
  static override examples = ['<%= config.bin %> drivers', '<%= config.bin %> drivers --from node-7.tar.gz -o json | jq -r .items[].name']
  static override flags = {...snapshotFlags, ...outputFlags}

  override async run(): Promise<void> {
    const {flags} = await this.parse(Drivers)
    const request = {...snapshotRequest(flags), tool: `kubelimbo ${this.config.version}`}
    const [{listDrivers}, {renderDrivers}] = await Promise.all([import('../src/drivers.ts'), import('../src/render/drivers.ts')])
    const report = await this.work({deadline: flags.deadline, waitingFor: 'the drivers'}, (machine) => listDrivers(request, machine))
    this.print(await renderDrivers(report, outputOf(flags)))
    this.complain(report.warnings, report.incomplete)
  }
}
