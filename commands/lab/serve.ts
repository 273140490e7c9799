import {systemClock} from '../../src/base/clock.ts'
import {BaseCommand} from '../../src/cli/command.ts'
import {given} from '../../src/cli/flags.ts'
import {onInterrupt} from '../../src/cli/interrupted.ts'
import {labFolder} from '../../src/cli/lab-flags.ts'
import {labUpFlags} from '../../src/cli/lab-up-flags.ts'

export default class LabServe extends BaseCommand {
  static override hidden = true
  static override summary = 'Be the lab that `lab up` starts, until SIGTERM'
  static override description = 'Started by kubelimbo itself, in a folder that is there.'
  static override examples = ['<%= config.bin %> lab serve --dir /tmp/lab']
  static override flags = labUpFlags

  override async run(): Promise<void> {
    const {flags} = await this.parse(LabServe)
    const {profile, scale, seed, scenario} = flags
    const controller = new AbortController()
    using _interrupt = onInterrupt((reason) => controller.abort(reason))
    const {labServe} = await import('../../src/lab-serve.ts')
    const tool = `kubelimbo ${this.config.version}`
    const shared = {folder: labFolder(flags), profile, scale, seed, tool, ...given({scenario})}
    await labServe({...shared, pid: process.pid, clock: systemClock, signal: controller.signal, tell: (text) => this.tell(text)})
  }
}
