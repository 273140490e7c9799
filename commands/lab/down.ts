import {systemClock} from '../../src/base/clock.ts'
import {BaseCommand} from '../../src/cli/command.ts'
import {onInterrupt} from '../../src/cli/interrupted.ts'
import {labFlags, labFolder} from '../../src/cli/lab-flags.ts'

export default class LabDown extends BaseCommand {
  static override summary = 'End the lab that `lab up` started, and remove all that it made'
  static override description = 'Exit code: 0 it is gone, 2 there was none.'
  static override examples = ['<%= config.bin %> lab down']
  static override flags = labFlags

  override async run(): Promise<void> {
    const {flags} = await this.parse(LabDown)
    const controller = new AbortController()
    using _interrupt = onInterrupt((reason) => controller.abort(reason))
    const {labDown} = await import('../../src/lab-down.ts')
    const ended = await labDown({folder: labFolder(flags), clock: systemClock, signal: controller.signal})
    this.tell(ended === undefined ? 'It had ended already; its folder is removed.' : `The lab with pid ${ended.pid} is gone.`)
  }
}
