import {Command} from '@oclif/core/command'
import {integer, string} from '@oclif/core/flags'
import {stopSignals} from '../src/cli/stop-signals.ts'

export default class TakeoverWatchdog extends Command {
  static override hidden = true
  static override summary = 'Give a socket back that another kubelimbo took over, when that one is gone'
  static override description =
    'Started by kubelimbo itself. A byte comes on stdin each second; when it ends or falls silent, the socket is given back.'
  static override examples = ['<%= config.bin %> takeover-watchdog --journal /run/kubelimbo/takeover/0a1b2c3d.json --for-ms 600000']
  static override flags = {
    journal: string({required: true, description: 'of the takeover'}),
    'for-ms': integer({required: true, min: 0, description: 'how long from now'}),
  }

  override async run(): Promise<void> {
    const {flags} = await this.parse(TakeoverWatchdog)
    using stop = stopSignals()
    const [{takeoverWatchdog}, {systemClock}] = await Promise.all([import('../src/takeover-watchdog.ts'), import('../src/base/clock.ts')])
    const {journal, 'for-ms': forMs} = flags
    const work = {input: process.stdin, output: process.stdout, clock: systemClock, told: stop.signal, enough: stop.hurry}
    process.exitCode = await takeoverWatchdog({journal, forMs, ...work})
    // A proxy that is silent still has its end of the pipe.
    process.stdin.destroy()
  }
}
