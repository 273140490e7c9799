// The ways to a kubelet: its read-only port where that may be on, then its own port as everybody whom we can be.
import {UserError} from '../../base/errors.ts'
import type {Credentials} from '../api-server/credentials.ts'
import type {Route} from '../http/routes.ts'
import type {TlsSettings} from '../http/secure.ts'
import type {Address} from '../kubelet-facts/ports.ts'
import type {KubeletFacts} from '../kubelet-facts.ts'

export interface KubeletRoutes {
  readonly main: readonly Route[]
  readonly healthz: readonly Route[]
}

interface Question {
  /** --kubelet-url */
  readonly url?: string
  readonly facts: Pick<KubeletFacts, 'ports'>
  readonly credentials: readonly Credentials[]
  /** Fingerprints of the certificates that the kubelet may show. */
  readonly pins: ReadonlySet<string>
}

/** @throws UserError when the user's own address is none. */
export function kubeletRoutes({url, facts, credentials, pins}: Question): KubeletRoutes {
  if (url !== undefined) {
    const base = addressOf(url)
    const main = base.protocol === 'http:' ? [plain(base)] : secure(base, credentials)
    return {main, healthz: main}
  }
  const {readOnly, secure: own, healthz} = facts.ports
  const open = ({value}: {value: Address}) => (value.port === 0 ? [] : [plain(urlOf('http', value))])
  const main = [...open(readOnly), ...(own.value.port === 0 ? [] : secure(urlOf('https', own.value), credentials, pins))]
  return {main, healthz: [...open(healthz), ...main]}
}

function plain(url: URL): Route {
  return {target: {url}, as: ''}
}

/**
 * Its certificate is its own work, as a rule, so it is not held against an authority; kubectl and the API server do the same by default.
 * Anonymous comes last: it is off, as a rule.
 */
function secure(url: URL, credentials: readonly Credentials[], pins?: ReadonlySet<string>): readonly Route[] {
  const base: TlsSettings = {verify: false, ...(pins !== undefined && {pins})}
  const known = credentials.map(({source, token, tls: {cert, key}}): Route => {
    const tls = cert !== undefined && key !== undefined ? {...base, cert, key} : base
    return {target: {url, tls, ...(token && {token})}, as: `as ${source} says`}
  })
  return [...known, {target: {url, tls: base}, as: 'anonymously'}]
}

function addressOf(text: string): URL {
  const wrong = (it: string) => new UserError(`Cannot use --kubelet-url as it must be a URL such as https://127.0.0.1:10250: ${it}`)
  if (!URL.canParse(text)) throw wrong(`it is '${text}'`)
  const url = new URL(text)
  // Not shown: it may hold a password.
  if (url.username !== '' || url.password !== '') throw wrong('it has a user name')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw wrong(`its scheme is '${url.protocol.slice(0, -1)}'`)
  return url
}

function urlOf(scheme: string, {host, port}: Address): URL {
  return new URL(`${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`)
}
