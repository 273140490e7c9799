// How credentials reach the API server.
import type {Route} from '../http/routes.ts'
import type {Credentials} from './credentials.ts'

/** A token is not for everybody on the way to read. A password in the address is, to whoever wrote it there (client-go does the same). */
export function routeOf({source, server, tls, token, login}: Credentials): readonly Route[] {
  if (server === undefined) return []
  const target = {url: server, tls, ...(login && {login}), ...(token && server.protocol === 'https:' && {token})}
  return [{target, as: `as ${source} says`}]
}
