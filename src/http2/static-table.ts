// The fields that every decoder knows by number (RFC 7541, Appendix A).

const text = `:authority|:method GET|:method POST|:path /|:path /index.html|:scheme http|:scheme https|:status 200|:status 204|:status 206
:status 304|:status 400|:status 404|:status 500|accept-charset|accept-encoding gzip, deflate|accept-language|accept-ranges|accept
access-control-allow-origin|age|allow|authorization|cache-control|content-disposition|content-encoding|content-language|content-length
content-location|content-range|content-type|cookie|date|etag|expect|expires|from|host|if-match|if-modified-since|if-none-match|if-range
if-unmodified-since|last-modified|link|location|max-forwards|proxy-authenticate|proxy-authorization|range|referer|refresh|retry-after
server|set-cookie|strict-transport-security|transfer-encoding|user-agent|vary|via|www-authenticate`

/** In the order of their numbers; the first is number 1. */
export const staticTable: readonly {readonly name: string; readonly value: string}[] = text.split(/[|\n]/).map((entry) => {
  const [name = '', ...value] = entry.split(' ')
  return {name, value: value.join(' ')}
})

const byName = new Map<string, number>()
const byField = new Map<string, Map<string, number>>()
for (const [index, {name, value}] of staticTable.entries()) {
  if (!byName.has(name)) byName.set(name, index + 1)
  byField.set(name, (byField.get(name) ?? new Map()).set(value, index + 1))
}

export function staticNumber(name: string, value: string): number | undefined {
  return byField.get(name)?.get(value)
}

/** The first with that name. */
export function staticNameNumber(name: string): number | undefined {
  return byName.get(name)
}
