import {string} from '@oclif/core/args'
import {BaseCommand} from '../src/cli/command.ts'
import {outputFlags, outputOf, snapshotFlags, snapshotRequest} from '../src/cli/flags.ts'

export default class Snapshot extends BaseCommand {
  static override summary = 'Keep all that is known of this node in a file, without its secrets, to be looked at elsewhere with --from'
  static override description =
    'A tar.gz that only its owner can read. Values of the environment, CSI secrets, logins, tokens and keys are taken out; what was taken out where is listed, and in redaction.json of the bundle.'
  static override examples = ['<%= config.bin %> snapshot node-7.tar.gz', '<%= config.bin %> check --from node-7.tar.gz']
  static override args = {file: string({required: true, description: 'a new file'})}
  static override flags = {...snapshotFlags, ...outputFlags}

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(Snapshot)
    const request = snapshotRequest(flags)
    const [{snapshot}, {renderSnapshot}] = await Promise.all([import('../src/snapshot.ts'), import('../src/render/snapshot.ts')])
    const report = await this.work({deadline: flags.deadline, waitingFor: 'the node'}, (machine) =>
      snapshot(args.file, request, `kubelimbo ${this.config.version}`, machine),
    )
    this.print(await renderSnapshot(report, outputOf(flags)))
    this.complain(report.warnings)
  }
}
