import {BaseCommand} from '../../src/cli/command.ts'
import {outputFlags, outputOf} from '../../src/cli/flags.ts'
import {labFlags, labFolder} from '../../src/cli/lab-flags.ts'

export default class LabStatus extends BaseCommand {
  static override summary = 'Show the lab that is up: its kubeconfig, its sockets, and what to try'
  static override description = 'Exit code: 0 one is up, 3 none is.'
  static override examples = ['<%= config.bin %> lab status', '<%= config.bin %> lab status -o json | jq -r .kubeconfig']
  static override flags = {...labFlags, ...outputFlags}

  override async run(): Promise<void> {
    const {flags} = await this.parse(LabStatus)
    const [{labStatus}, {renderLab}] = await Promise.all([import('../../src/lab-status.ts'), import('../../src/render/lab.ts')])
    const folder = labFolder(flags)
    this.print(await renderLab(await labStatus(folder), outputOf(flags), folder))
  }
}
