// What is said of an error to whoever runs a check as a plugin: there, the usual exit codes would tell of a sick node.
import type {PluginOutput} from '../render/check-output.ts'
import type {ErrorReport} from './report-error.ts'

export interface PluginReport extends ErrorReport {
  /** The one line that a plugin answers with. */
  readonly stdout: string
  /** As the plugin's rules have it. */
  readonly exit: number
}

/** Undefined when nobody does, or it was told to stop. */
export async function pluginAnswer(argv: readonly string[], {lines, exit}: ErrorReport): Promise<PluginReport | undefined> {
  const plugin = pluginOf(argv)
  // --help ends without words, and signals have exit codes that everybody knows.
  if (plugin === undefined || lines.length === 0 || exit > 128) return undefined
  const [headline = '', ...more] = lines.map((line) => line.replace(/^kubelimbo: /, ''))
  if (plugin === 'npd') {
    const {text, exit: unknown} = (await import('../render/npd.ts')).npdUnknown(headline)
    return {stdout: text, lines, exit: unknown}
  }
  const hint = more.find((line) => line.startsWith('hint: '))
  const {nagiosUnknown} = await import('../render/nagios.ts')
  const {text, exit: unknown} = nagiosUnknown(hint === undefined ? headline : `${headline} (${hint})`)
  // check_by_ssh takes a word on stderr for trouble of its own: it gets a stack trace where one is asked for, and nothing else.
  return {stdout: text, lines: more.filter((line) => line !== hint), exit: unknown}
}

/** Read off the words themselves: of a wrong command line, no flag was parsed. */
function pluginOf(argv: readonly string[]): PluginOutput | undefined {
  if (argv.includes('--json')) return undefined
  const words = argv.flatMap((word, index) => {
    const before = argv[index - 1]
    return before === '-o' || before === '--output' ? [word] : (/^(?:-o=?|--output=)(.+)$/.exec(word)?.[1] ?? [])
  })
  const asked = words.at(-1)
  return asked === 'nagios' || asked === 'npd' ? asked : undefined
}
