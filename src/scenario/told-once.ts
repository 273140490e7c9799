// An expectation and what became of it, in one sentence: words that both have are said once.

/** 'what: why'; why alone when it begins with all that `what` says, and says that it never came. */
export function toldOnce({what, why}: {readonly what: string; readonly why: string}): string {
  const bare = what.replace(/^never /, '').replace(/(?:,? as often as| within| after| since| until) .*$/, '')
  const isSaid = why.startsWith(`${bare} was never `) || why.startsWith(`${bare} never happened`) || why.startsWith(`${bare}: `)
  return isSaid ? why : `${what}: ${why}`
}
