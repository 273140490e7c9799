import {BaseCommand} from '../src/cli/command.ts'
import {given} from '../src/cli/flags.ts'
import {traceFlags, traceRequest} from '../src/cli/inject-flags.ts'
import {onInterrupt} from '../src/cli/interrupted.ts'
import {owner} from '../src/cli/owner.ts'
import {keepMemorySteady} from '../src/cli/steady-memory.ts'
import {terminalColumns} from '../src/cli/terminal-columns.ts'

export default class Trace extends BaseCommand {
  static override summary =
    'Show every call by a proxy as it ends: what its deadline had left, how long it took, its code, its fault, what it owes'
  static override description =
    'Of an injector that runs, or by a proxy of its own that changes nothing. A kubelet may ask again after a code of class uncertain, and owes the call under OWED.\nExit code: 0 the time is over or the injector has ended, 2 wrong command line, 3 there is nothing to look at, 5 it cannot listen on --listen, 130 stopped.'
  static override examples = [
    '<%= config.bin %> trace --ledger',
    '<%= config.bin %> trace --listen unix:///tmp/csi.sock --upstream unix:///csi/csi.sock -o jsonl --for 5m > calls.jsonl',
  ]
  static override flags = traceFlags

  override async run(): Promise<void> {
    const {flags} = await this.parse(Trace)
    keepMemorySteady()
    const controller = new AbortController()
    using _interrupt = onInterrupt((reason) => controller.abort(reason))
    const [{trace}, {findInjector}, {traceLines}] = await Promise.all([
      import('../src/trace.ts'),
      import('../src/proxy/control/find-injector.ts'),
      import('../src/render/trace.ts'),
    ])
    const request = await traceRequest(flags, () => findInjector(owner()), controller.signal)
    const lines = traceLines({output: flags.output, ...given({forTime: flags.for})}, this.printer(controller), (text) => this.tell(text))
    const ledger = await trace(request, lines)
    if (flags.ledger) lines.ledger(ledger, terminalColumns(process.env, process.stdout))
    controller.signal.throwIfAborted()
  }
}
