// What every command does the same way: its deadline, interrupts, errors, and where its words go.
import {Command} from '@oclif/core/command'
import {systemClock} from '../base/clock.ts'
import {formatDuration, parseDuration} from '../base/duration.ts'
import {UserError} from '../base/errors.ts'
import {exitCodes} from '../base/exit-codes.ts'
import type {Machine} from '../node/runtime-source.ts'
import {oneLine} from '../render/escaped.ts'
import {withDeadline} from '../wire/deadline.ts'
import {onInterrupt} from './interrupted.ts'
import {thisMachine} from './machine.ts'
import {describeError} from './report-error.ts'
import {showWaiting} from './waiting.ts'
import {writeResult} from './write-result.ts'

/** Less than that is over before anything was asked. */
const shortest = 100

export interface WorkOptions {
  /** --deadline */
  readonly deadline: string
  /** What there is to wait for: 'the runtime'. */
  readonly waitingFor: string
}

export abstract class BaseCommand extends Command {
  /** Runs a verb on this machine, under the deadline of the whole command and until the user has enough. */
  protected async work<T>({deadline, waitingFor}: WorkOptions, verb: (machine: Machine) => Promise<T>): Promise<T> {
    const ms = parseDuration(deadline, '--deadline')
    if (ms < shortest) throw new UserError(`Cannot use --deadline as it must be at least ${formatDuration(shortest)}: it is '${deadline}'`)
    const controller = new AbortController()
    using _interrupt = onInterrupt((reason) => controller.abort(reason))
    const waiting = new Set<string>()
    using _waiting = showWaiting(() => [...waiting].join(', ') || waitingFor, systemClock, process.stderr)
    const expired = () =>
      new UserError(`Cannot finish as ${waitingFor} must answer within ${formatDuration(ms)}: it has not`, {
        hint: 'give it longer with --deadline',
        exit: exitCodes.blind,
      })
    return await withDeadline({clock: systemClock, ms, expired, signal: controller.signal}, async (signal) =>
      verb(await thisMachine(signal, waiting)),
    )
  }

  /** The result, and nothing else, goes to stdout. */
  protected print(text: string): void {
    writeResult(text)
  }

  /** For results that come bit by bit: when they cannot be written any more, the work is over, and undoes what it did. */
  protected printer(work: AbortController): (text: string) => void {
    return (text) => writeResult(text, (reason) => work.abort(reason))
  }

  /** A word for whoever waits, while the work goes on. */
  protected tell(text: string): void {
    process.stderr.write(`${oneLine(text)}\n`)
  }

  /** @param incomplete why the result is not whole: then the exit code says so, too. */
  protected complain(warnings: readonly string[], incomplete?: string): void {
    for (const warning of warnings) process.stderr.write(`warning: ${oneLine(warning)}\n`)
    if (incomplete === undefined) return
    process.stderr.write(`warning: the list is incomplete: ${oneLine(incomplete)}\n`)
    process.exitCode = exitCodes.blind
  }

  /** Of what went wrong after there was a result: it is told, and the exit code is that of an error. */
  protected regret(errors: readonly unknown[]): void {
    for (const error of errors) {
      const {lines, exit} = describeError(error, process.env.KUBELIMBO_DEBUG === '1')
      for (const line of lines) this.tell(line)
      process.exitCode = exit
    }
  }

  /** main.ts tells of errors. oclif's own would set the exit code and print first. */
  protected override async catch(error: Error): Promise<never> {
    throw error
  }
}
