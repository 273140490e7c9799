// Lists of fields that no peer may send (RFC 9113, 8.1 to 8.3), in one sentence each. As lenient as grpc-go where it is: see checkRequest.
import type {HeaderField} from './header-field.ts'

/**
 * Any :authority will do, and none: kubelets and crictl send the path of a socket. :scheme may be missing, and values may start or end with
 * a space, both as with grpc-go.
 */
export function checkRequest(fields: readonly HeaderField[]): string | undefined {
  const pseudo = new Map<string, string>()
  const malformed = checkFields(fields, ({name, value}) => {
    if (!requestFields.has(name)) return `${name} is no field of a request`
    if (pseudo.has(name)) return `${name} is there twice`
    pseudo.set(name, value)
    return undefined
  })
  if (malformed) return malformed
  if (!pseudo.get(':method')) return ':method is missing'
  if (!pseudo.get(':path')) return ':path is missing'
  return undefined
}

const requestFields: ReadonlySet<string> = new Set([':method', ':scheme', ':authority', ':path'])

export function checkResponse(fields: readonly HeaderField[]): string | undefined {
  let statuses = 0
  const malformed = checkFields(fields, ({name, value}) => {
    statuses++
    return name === ':status' && /^[1-9]\d\d$/.test(value) ? undefined : `${name} is no status`
  })
  return malformed ?? (statuses === 1 ? undefined : `there are ${statuses} statuses`)
}

export function checkTrailers(fields: readonly HeaderField[]): string | undefined {
  return checkFields(fields, ({name}) => `${name} is in trailers`)
}

/** Pseudo fields go to `pseudo`, which may have an objection. */
function checkFields(fields: readonly HeaderField[], pseudo: (field: HeaderField) => string | undefined): string | undefined {
  let regular = false
  for (const field of fields) {
    if (/[\0\r\n]/.test(field.value)) return 'a value has a line break or a zero'
    if (field.name.startsWith(':')) {
      const objection = regular ? `${field.name} is behind other fields` : pseudo(field)
      if (objection) return objection
      continue
    }
    regular = true
    if (!/^[!#$%&'*+\-.^_`|~0-9a-z]+$/.test(field.name)) return 'a name has an upper case letter or a character that is none of a name'
    if (ofConnection.has(field.name)) return `${field.name} is no field of HTTP/2`
    if (field.name === 'te' && field.value !== 'trailers') return 'te asks for more than trailers'
  }
  return undefined
}

const ofConnection: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade'])

/** What content-length says; NaN when that is no length. */
export function contentLength(fields: readonly HeaderField[]): number | undefined {
  let length: number | undefined
  for (const {name, value} of fields) {
    if (name !== 'content-length') continue
    const said = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
    if (length !== undefined && said !== length) return Number.NaN
    length = said
  }
  return length
}
