import {BaseCommand} from '../src/cli/command.ts'
import {outputFlags, outputOf, runtimeFlags, runtimeRequest} from '../src/cli/flags.ts'

export default class Endpoints extends BaseCommand {
  static override summary = 'Show where the container runtime was looked for, and which socket is used'
  static override description =
    "A flag, a variable or crictl's configuration file decides alone. Then comes what the running kubelet was told, then the usual places."
  static override examples = ['<%= config.bin %> endpoints', '<%= config.bin %> endpoints -o json']
  static override flags = {...runtimeFlags, ...outputFlags}

  override async run(): Promise<void> {
    const {flags} = await this.parse(Endpoints)
    const request = runtimeRequest(flags)
    const [{endpoints}, {renderEndpoints}] = await Promise.all([import('../src/endpoints.ts'), import('../src/render/endpoints.ts')])
    const report = await this.work({deadline: flags.deadline, waitingFor: 'the sockets'}, (machine) =>
      endpoints(request, machine, `kubelimbo ${this.config.version}`),
    )
    this.print(await renderEndpoints(report, outputOf(flags)))
    this.complain(report.warnings)
    if (report.problem) throw report.problem
  }
}
