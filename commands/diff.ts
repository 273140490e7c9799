import {string} from '@oclif/core/args'
import {exitCodes} from '../src/base/exit-codes.ts'
import {BaseCommand} from '../src/cli/command.ts'
import {diffFlags, diffRequest, outputFlags, outputOf} from '../src/cli/flags.ts'

export default class Diff extends BaseCommand {
  static override summary = 'Tell what differs between two bundles, or between a bundle and this node'
  static override description =
    'Moments that merely moved on are no difference. Where a source was not read on one side, nothing of it is said to be gone: it is listed as not compared.\nExit code: 0 no difference, 1 differences, 2 wrong command line or no bundle, 3 nothing could be compared.'
  static override examples = [
    '<%= config.bin %> diff before.tar.gz',
    '<%= config.bin %> diff before.tar.gz after.tar.gz',
    '<%= config.bin %> diff good-node/ bad-node/ -o json',
  ]
  static override args = {
    a: string({required: true, description: 'a bundle: a file, or a folder'}),
    b: string({description: 'another bundle (else this node, now)'}),
  }
  static override flags = {...diffFlags, ...outputFlags}

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(Diff)
    const request = diffRequest(flags, args, `kubelimbo ${this.config.version}`)
    const [{diff}, {renderDiff}] = await Promise.all([import('../src/diff.ts'), import('../src/render/diff.ts')])
    const {report, differs, warnings} = await this.work({deadline: flags.deadline, waitingFor: 'the node'}, (machine) =>
      diff(request, machine),
    )
    this.print(await renderDiff(report, outputOf(flags)))
    this.complain(warnings)
    process.exitCode = differs ? exitCodes.findings : exitCodes.clean
  }
}
