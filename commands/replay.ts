import {randomBytes} from 'node:crypto'
import {tmpdir} from 'node:os'
import {string} from '@oclif/core/args'
import {myUid} from '../src/cli/account.ts'
import {BaseCommand} from '../src/cli/command.ts'
import {onInterrupt} from '../src/cli/interrupted.ts'
import {thisMachine} from '../src/cli/machine.ts'
import {replayFlags, replayRequest} from '../src/cli/replay-flags.ts'

export default class Replay extends BaseCommand {
  static override summary = 'Serve a recording or a bundle to real clients, read-only: crictl and `kubelimbo check` see the node as it was'
  static override description =
    'The sockets of the container runtime, of CSI drivers and of registrations lie below --dir as on the node; of a bundle so does all that `check --host-root` reads. What would change something is refused. It listens on unix sockets and the loopback address only.\nExit code: 0 the time is over, 2 wrong command line or file, 3 the disk is full, 5 --dir cannot be ours, 130 stopped.'
  static override examples = ['<%= config.bin %> replay node-7.tar.gz', '<%= config.bin %> replay calls.jsonl --dir /tmp/node-7 --for 10m']
  static override args = {file: string({required: true, description: 'a recording of `record`, or a bundle of `snapshot`'})}
  static override flags = replayFlags

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(Replay)
    const request = {...replayRequest(args.file, flags), temporary: tmpdir(), uid: myUid(), random: randomBytes}
    const controller = new AbortController()
    using _interrupt = onInterrupt((reason) => controller.abort(reason))
    const print = this.printer(controller)
    const [{replay}, {renderReplay}] = await Promise.all([import('../src/replay.ts'), import('../src/render/replay.ts')])
    const machine = await thisMachine(controller.signal, new Set())
    await replay(request, machine, async (view) => print(await renderReplay(view, flags.json ? 'json' : flags.output)))
    controller.signal.throwIfAborted()
  }
}
