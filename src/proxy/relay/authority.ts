// Clients of unix sockets send the socket's path for an authority, nothing, or none at all; servers get 'localhost', which every one takes.
import type {HeaderField} from '../../http2/header-field.ts'

const localhost: HeaderField = {name: ':authority', value: 'localhost'}

/** Other fields stay as they are and where they are: whether a request is well formed is for the server to say. */
export function withLocalAuthority(fields: readonly HeaderField[]): readonly HeaderField[] {
  if (fields.some(({name}) => name === ':authority')) return fields.map((field) => (field.name === ':authority' ? localhost : field))
  const firstRegular = fields.findIndex(({name}) => !name.startsWith(':'))
  const at = firstRegular === -1 ? fields.length : firstRegular
  return [...fields.slice(0, at), localhost, ...fields.slice(at)]
}
