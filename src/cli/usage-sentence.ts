// oclif's complaints about a command line, in the form that all our sentences have.

const rewritten: readonly (readonly [pattern: RegExp, sentence: string])[] = [
  [/^command (.*) not found$/, "Cannot run '$1' as it must be one of the commands that --help shows: it is none"],
  [/^Nonexistent flags?: (.*)$/, 'Cannot run this as every flag must be one that --help shows: $1 is not'],
  [/^Flag (--\S+) expects a value$/, 'Cannot use $1 as it must have a value: it has none'],
  // What a flag of ours throws is a sentence already.
  [/^Parsing --\S+: (Cannot .*)$/s, '$1'],
  [
    /^Parsing (--\S+): Expected an integer greater than or equal to (\S+) but received: (.*)$/,
    "Cannot use $1 as it must be $2 or more: it is '$3'",
  ],
  [
    /^Parsing (--\S+): Expected an integer less than or equal to (\S+) but received: (.*)$/,
    "Cannot use $1 as it must be $2 or less: it is '$3'",
  ],
  [/^Parsing (--\S+): Expected an integer but received: ?(.*)$/, "Cannot use $1 as it must be a whole number: it is '$2'"],
  [/^Flag (--\S+) expects one of these values: (.*)$/, 'Cannot use $1 as it must be one of $2: it has no value'],
  [/^Flag (--\S+) can only be specified once$/, 'Cannot use $1 as it must be given once: it is given again'],
  [
    /^The following errors? occurred:+ (--\S+?)(?:=.*)? cannot also be provided when using (--\S+)$/,
    'Cannot use $1 as it must be given without $2: both are given',
  ],
  [/^Expected (--[^=]+)=(.*) to be one of: (.*)$/, "Cannot use $1 as it must be one of $3: it is '$2'"],
  [/^The following errors? occurred:+ Missing required flag (\S+)$/, 'Cannot run this as --$1 must be given: it is not'],
  [/^Missing \d+ required args?:+ (\S+) +(.*)$/, 'Cannot run this as it must be told $1 ($2): it is not'],
  [/^Unexpected arguments?: (.*)$/, 'Cannot run this as it takes no such arguments: $1'],
]

/** One sentence of what may be a headline with more below it. */
export function usageSentence(message: string): string {
  const said = message
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && line !== 'See more help with --help')
    .join(': ')
  const found = rewritten.find(([pattern]) => pattern.test(said))
  // oclif joins the words of a command with colons.
  return found
    ? said.replace(found[0], found[1]).replace(/'[^']*'/, (words) => (said.startsWith('command ') ? words.replaceAll(':', ' ') : words))
    : said
}
