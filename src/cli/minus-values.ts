// Values that begin with a minus: `--switch -orphans-emptied`. oclif takes the -o for a flag of its own, so it gets a space before it.

const flag = '--switch'

/** What the user typed, such that oclif reads it as it was meant. `--switch` trims its value. */
export function withMinusValues(argv: readonly string[]): string[] {
  const end = argv.indexOf('--')
  return argv.map((word, index) => {
    if (end >= 0 && index > end) return word
    // Every name has a minus inside, no group of flags has.
    if (argv[index - 1] === flag && /^-[a-z]+-/.test(word)) return ` ${word}`
    return word.startsWith(`${flag}=-`) ? word.replace('=', '= ') : word
  })
}
