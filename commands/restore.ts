import {BaseCommand} from '../src/cli/command.ts'
import {outputOf} from '../src/cli/flags.ts'
import {restoreArgs, restoreFlags, restoreRequest} from '../src/cli/restore-flags.ts'

export default class Restore extends BaseCommand {
  static override summary = 'Give back the sockets that were taken over and not given back'
  static override description =
    'It needs nothing but the journals that a takeover leaves, and may be run as often as you like, beside an injector that runs, too: that one ends then. A server that has restarted since is left alone. ' +
    'Exit code: 0 nothing is left to be done, 3 the journals cannot be looked for, 4 something is: it is named, with what to do by hand, 5 others could have written the journals.'
  static override examples = [
    '<%= config.bin %> restore',
    '<%= config.bin %> restore /run/containerd/containerd.sock',
    '<%= config.bin %> restore --dry-run -o json',
  ]
  static override args = restoreArgs
  static override flags = restoreFlags

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(Restore)
    const [{restore}, {renderRestore}] = await Promise.all([import('../src/restore.ts'), import('../src/render/restore.ts')])
    const {report, exit} = await restore(restoreRequest(flags, args.socket, `kubelimbo ${this.config.version}`))
    this.print(await renderRestore(report, outputOf(flags)))
    process.exitCode = exit
  }
}
