// What there is, for whoever asked for something else.

const most = 10

/** 'there are a, b and 3 more' */
export function thereAre(what: string, all: readonly string[]): string {
  const names = [...new Set(all)]
  if (names.length === 0) return `there are no ${what} here`
  const more = names.length - most
  return `there ${names.length === 1 ? 'is' : 'are'} ${names.slice(0, most).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
