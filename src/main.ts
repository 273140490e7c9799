// Starts the command line. Commands are loaded by oclif, by the manifest of the build; nothing of theirs is imported here.
import './cli/account.ts'
import {fileURLToPath} from 'node:url'
import type {Options} from '@oclif/core/interfaces'
import {run} from '@oclif/core/run'
import {withMinusValues} from './cli/minus-values.ts'
import {pluginAnswer} from './cli/plugin-answer.ts'
import {describeError} from './cli/report-error.ts'
import {writeResult} from './cli/write-result.ts'

/**
 * Runs one command. Its exit code is left in process.exitCode, so that what was written still gets out.
 * @param commands where oclif finds them.
 */
export async function main(argv: readonly string[] = process.argv.slice(2), commands: Options = besideUs()): Promise<void> {
  process.stderr.on('error', unheard)
  try {
    // Our own commands only: plugins would be looked for in a home that may not be readable.
    await run(withMinusValues(argv), {...commands, userPlugins: false, devPlugins: false})
  } catch (error) {
    const told = describeError(error, process.env.KUBELIMBO_DEBUG === '1')
    const {stdout, lines, exit} = (await pluginAnswer(argv, told)) ?? {stdout: '', ...told}
    if (stdout !== '') writeResult(stdout)
    for (const line of lines) process.stderr.write(`${line}\n`)
    process.exitCode = exit
  }
}

/** Nobody hears us, and to whom should that be said. What runs must still be undone: it does not end here. */
function unheard(): void {}

/** The build's manifest and its commands lie in this folder and above. */
function besideUs(): Options {
  return {root: fileURLToPath(import.meta.url)}
}
