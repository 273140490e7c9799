import {string} from '@oclif/core/args'
import {exitCodes} from '../src/base/exit-codes.ts'
import {BaseCommand} from '../src/cli/command.ts'
import {outputOf} from '../src/cli/flags.ts'
import {onInterrupt} from '../src/cli/interrupted.ts'
import {recordFlags, recordRequest} from '../src/cli/record-flags.ts'
import {keepMemorySteady} from '../src/cli/steady-memory.ts'
import {terminalColumns} from '../src/cli/terminal-columns.ts'

export default class Record extends BaseCommand {
  static override summary = 'Keep every call at a CRI, CSI or registration socket with its messages in a file, without their secrets'
  static override description =
    'By a proxy of its own that changes nothing. A line of JSON each, in the order in which the calls end; CSI secrets, logins, tokens and values of the environment are taken out before anything is written, and the report at the end says what was. `replay` serves such a file to real clients; docs/record.md has more.\nExit code: 0 the time is over, 2 wrong command line, 3 nobody listens on --upstream, or the file did not take all calls, 4 a socket could not be given back, 5 refused: it cannot listen there or may not take the socket over, or there is such a file, 130 stopped: the file is whole then, too.'
  static override examples = [
    '<%= config.bin %> record node-7.jsonl --socket /var/lib/kubelet/plugins/csi.example.com/csi.sock --for 5m',
    '<%= config.bin %> record node-7.jsonl --listen unix:///tmp/csi.sock --upstream unix:///csi/csi.sock',
  ]
  static override args = {
    file: string({description: 'a new file (else one in $XDG_STATE_HOME/kubelimbo/recordings, or ~/.local/state/kubelimbo/recordings)'}),
  }
  static override flags = recordFlags

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(Record)
    keepMemorySteady()
    const [controller, hurry] = [new AbortController(), new AbortController()]
    const stop = (reason: unknown) => controller.abort(reason)
    using _interrupt = onInterrupt(stop, () => hurry.abort())
    const [{record}, {recordLines}] = await Promise.all([import('../src/record.ts'), import('../src/render/record-lines.ts')])
    const {renderRecord} = await import('../src/render/record.ts')
    const request = recordRequest(args.file, flags, `kubelimbo ${this.config.version}`, {signal: controller.signal, hurry: hurry.signal})
    const lines = recordLines(flags.for, {tell: (text) => this.tell(text), warn: (text) => this.complain([text])})
    const {report, errors} = await record(request, lines)
    this.print(await renderRecord(report, outputOf(flags), terminalColumns(process.env, process.stdout)))
    if (report.broken !== undefined || report.missing > 0) process.exitCode = exitCodes.blind
    this.regret(errors)
    if (errors.length === 0) controller.signal.throwIfAborted()
  }
}
