import {Command} from '@oclif/core/command'

export default class StatWorker extends Command {
  static override hidden = true
  static override summary = 'Look at files for another kubelimbo, which must not hang'
  static override description = 'Started by kubelimbo itself. Requests on stdin and answers on stdout are lines of JSON.'
  static override examples = ['<%= config.bin %> stat-worker < requests.jsonl']

  override async run(): Promise<void> {
    await this.parse(StatWorker)
    const {statWorker} = await import('../src/stat-worker.ts')
    await statWorker(process.stdin, 1)
  }
}
