import {BaseCommand} from '../src/cli/command.ts'
import {doctorFlags, doctorRequest, outputFlags, outputOf} from '../src/cli/flags.ts'

export default class Doctor extends BaseCommand {
  static override summary = 'Show what of this node can be seen from here, how, and what it takes to see the rest'
  static override description =
    'Looks and changes nothing; no secret is shown.\nExit code: 0 everything can be seen, 2 wrong command line, 3 something cannot.'
  static override examples = [
    '<%= config.bin %> doctor',
    '<%= config.bin %> doctor --kubeconfig /etc/kubernetes/admin.conf',
    '<%= config.bin %> doctor --host-root /host -o json',
  ]
  static override flags = {...doctorFlags, ...outputFlags}

  override async run(): Promise<void> {
    const {flags} = await this.parse(Doctor)
    const request = doctorRequest(flags, `kubelimbo ${this.config.version}`)
    const [{doctor}, {renderDoctor}] = await Promise.all([import('../src/doctor.ts'), import('../src/render/doctor.ts')])
    const {report, exit} = await this.work({deadline: flags.deadline, waitingFor: 'the node'}, (machine) => doctor(request, machine))
    this.print(await renderDoctor(report, outputOf(flags)))
    process.exitCode = exit
  }
}
