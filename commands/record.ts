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
    'By a proxy of its own that changes nothing. A line of JSON each, in the order in which the calls end; CSI secrets, logins, tokens and values of the environment are taken out before anything is written, and the report at the end says what was. `replay` serves such a file to real clients.\nExit code: 0 the time is over, 2 wrong command line, 3 nobody listens on --upstream, or the file did not take all calls, 5 it cannot listen on --listen, or there is such a file, 130 stopped: the file is whole then, too.'
  static override examples = [
    '<%= config.bin %> record node-7.jsonl --listen unix:///tmp/csi.sock --upstream unix:///csi/csi.sock --for 5m',
    '<%= config.bin %> record --listen unix:///tmp/cri.sock --upstream unix:///run/containerd/containerd.sock --listen unix:///tmp/csi.sock --upstream unix:///csi/csi.sock',
  ]
  static override args = {
    file: string({description: 'a new file (else one in $XDG_STATE_HOME/kubelimbo/recordings, or ~/.local/state/kubelimbo/recordings)'}),
  }
  static override flags = recordFlags

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(Record)
    keepMemorySteady()
    const controller = new AbortController()
    using _interrupt = onInterrupt((reason) => controller.abort(reason))
    const [{record}, {renderRecord}] = await Promise.all([import('../src/record.ts'), import('../src/render/record.ts')])
    const request = recordRequest(args.file, flags, `kubelimbo ${this.config.version}`, controller.signal)
    const report = await record(request, {
      started: (places, file) => this.tell(`calls by ${places.join(', ')} go into ${file}, for ${flags.for} or until Ctrl-C`),
      trouble: (text) => this.complain([text]),
    })
    this.print(await renderRecord(report, outputOf(flags), terminalColumns(process.env, process.stdout)))
    if (report.broken !== undefined || report.missing > 0) process.exitCode = exitCodes.blind
    controller.signal.throwIfAborted()
  }
}
