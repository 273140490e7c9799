import {systemClock} from '../../src/base/clock.ts'
import {myUid} from '../../src/cli/account.ts'
import {BaseCommand} from '../../src/cli/command.ts'
import {outputFlags, outputOf} from '../../src/cli/flags.ts'
import {onInterrupt} from '../../src/cli/interrupted.ts'
import {labFolder} from '../../src/cli/lab-flags.ts'
import {labUpFlags, serveArgs} from '../../src/cli/lab-up-flags.ts'
import {onceMore} from '../../src/cli/once-more.ts'

export default class LabUp extends BaseCommand {
  static override summary = 'Start a node to play with: a kubelet, a container runtime, a CSI driver and an API server, without root'
  static override description =
    'All of it is one process of kubelimbo. kubectl, crictl and csi-sanity work on its sockets; containers are make-believe that understands `sleep`, `exit`, `trap` and a little more.\nExit code: 0 it is up, 2 one is up already or the command line is wrong, 3 it did not come up.'
  static override examples = [
    '<%= config.bin %> lab up',
    '<%= config.bin %> lab up --scenario stage-timeout-filesystem --profile 1.17.3 --scale 10',
    'export KUBECONFIG=$(<%= config.bin %> lab up -o json | jq -r .kubeconfig)',
  ]
  static override flags = {...labUpFlags, ...outputFlags}

  override async run(): Promise<void> {
    const {flags} = await this.parse(LabUp)
    const controller = new AbortController()
    using _interrupt = onInterrupt((reason) => controller.abort(reason))
    const [{labUp}, {renderLab}] = await Promise.all([import('../../src/lab-up.ts'), import('../../src/render/lab.ts')])
    const folder = labFolder(flags)
    const command = onceMore(serveArgs(folder, flags))
    const record = await labUp({folder, uid: myUid(), command, clock: systemClock, signal: controller.signal})
    this.print(await renderLab(record, outputOf(flags), folder))
  }
}
