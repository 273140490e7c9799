import {BaseCommand} from '../src/cli/command.ts'
import {outputFlags, outputOf, volumesFlags, volumesRequest} from '../src/cli/flags.ts'

export default class Volumes extends BaseCommand {
  static override summary = 'List the volumes of pods, and those left of pods that are gone, with what the kubelet must believe of each'
  static override description =
    'STAGE is the state of the staging path, PUBLISH that of the target path. A volume that is forgotten is one that the kubelet cannot learn of when it starts.'
  static override examples = [
    '<%= config.bin %> volumes',
    '<%= config.bin %> volumes --driver ebs.csi.aws.com',
    '<%= config.bin %> volumes --pod default/web-0 -o yaml',
    '<%= config.bin %> volumes --from node-7/',
  ]
  static override flags = {...volumesFlags, ...outputFlags}

  override async run(): Promise<void> {
    const {flags} = await this.parse(Volumes)
    const request = volumesRequest(flags, `kubelimbo ${this.config.version}`)
    const [{volumes}, {renderVolumes}] = await Promise.all([import('../src/volumes.ts'), import('../src/render/volumes.ts')])
    const report = await this.work({deadline: flags.deadline, waitingFor: 'the node'}, (machine) => volumes(request, machine))
    this.print(await renderVolumes(report, outputOf(flags)))
    this.complain(report.warnings, report.incomplete)
  }
}
