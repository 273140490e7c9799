// What a check says of an error to whoever runs it as a plugin: there, the usual exit codes would tell of a sick node.
import type {PluginOutput} from '../render/check-output.ts'
import type {PluginAnswer} from '../render/nagios.ts'
import type {ErrorReport} from './report-error.ts'

/** Undefined when nobody runs it as one, or it was told to stop. */
export async function pluginAnswer(argv: readonly string[], {lines, exit}: ErrorReport): Promise<PluginAnswer | undefined> {
  const plugin = pluginOf(argv)
  // --help ends without words, and signals have exit codes that everybody knows.
  if (plugin === undefined || lines.length === 0 || exit > 128) return undefined
  const [headline = '', ...more] = lines.map((line) => line.replace(/^kubelimbo: /, ''))
  if (plugin === 'npd') return (await import('../render/npd.ts')).npdUnknown(headline)
  const hint = more.find((line) => line.startsWith('hint: '))
  return (await import('../render/nagios.ts')).nagiosUnknown(hint === undefined ? headline : `${headline} (${hint})`)
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
