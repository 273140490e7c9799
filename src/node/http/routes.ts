// Several ways to one answer, in order: the first that answers decides. A port that is closed and an identity that may not are passed by.
import {firstLine} from '../../base/errors.ts'
import {HttpFailure} from './failure.ts'
import {type HttpReply, type HttpTarget, httpGet} from './get.ts'

export interface Route {
  /** The server: paths are below it. */
  readonly target: HttpTarget
  /** 'with the client certificate of /etc/kubernetes/kubelet.conf'; '' for none at all. */
  readonly as: string
}

/** 'unfit': we were let in, and what came is no answer. */
export type RouteNote = {readonly what: 'refused' | 'denied' | 'missing' | 'failed' | 'unfit'; readonly why: string}

export type Answered<T> = {readonly value: T; readonly how: string} | {readonly notes: readonly RouteNote[]}

/** No kubelet or API server of a real node says that much of one node. */
const limit = 64 * 1024 * 1024

/**
 * @param decode throws an Error, one sentence, when the reply is no answer: somebody else listens on that port, say.
 * @throws the signal's reason
 */
export async function firstAnswer<T>(
  routes: readonly Route[],
  path: string,
  decode: (reply: HttpReply) => T,
  signal: AbortSignal,
): Promise<Answered<T>> {
  const notes: RouteNote[] = []
  const closed = new Set<string>()
  for (const {target, as} of routes) {
    const {origin} = target.url
    if (closed.has(origin)) continue
    const url = new URL(path.replace(/^\//, ''), target.url.href.replace(/\/?$/, '/'))
    const address = `${url.origin}${url.pathname}`
    const how = as === '' ? address : `${address} ${as}`
    try {
      const {status, text} = await httpGet({...target, url}, {signal, limit})
      // A server may tell anybody what somebody else told it.
      const reply = {status, text: routes.flatMap(secretsOf).reduce((shown, secret) => secret.hide(shown), text)}
      const note = noteOn(reply, how)
      if (note === undefined) return {value: decode(reply), how}
      notes.push(note)
    } catch (error) {
      signal.throwIfAborted()
      const kind = error instanceof HttpFailure ? error.kind : undefined
      // Only what we show of ourselves changes with the next route to the same server.
      if (kind !== undefined && kind !== 'tls') closed.add(origin)
      const what = kind === undefined ? 'unfit' : kind === 'refused' ? 'refused' : 'failed'
      notes.push({what, why: what === 'refused' ? url.host : `${what === 'unfit' ? how : address}: ${firstLine(error)}`})
    }
  }
  return {notes}
}

const secretsOf = ({target: {token, login}}: Route) => [token, login?.password].filter((secret) => secret !== undefined)

function noteOn({status, text}: HttpReply, how: string): RouteNote | undefined {
  if (status === 401) return {what: 'denied', why: `${how}: 401, it does not know who asks`}
  if (status === 403) return {what: 'denied', why: `${how}: 403, ${forbidden(text)}`}
  // The read-only port answers 405 to what is for debugging: /runningpods.
  if (status === 404 || status === 405) return {what: 'missing', why: `${how}: ${status}, it has no such path`}
  return undefined
}

/** Who may not do what, where the reply says so as Kubernetes does. */
function forbidden(text: string): string {
  const kubelet = /user=([\w:.@-]{1,100}), verb=(\w+), resource=(\w+), subresource(?:s|\(s\))?=\[?([\w, ]*)/.exec(text)
  if (kubelet) return `${kubelet[1]} may not ${kubelet[2]} ${kubelet[3]}/${kubelet[4]}`
  const server = /User \\?"([\w:.@-]{1,100})\\?" cannot (\w+) resource \\?"([\w/]+)\\?"/.exec(text)
  return server ? `${server[1]} may not ${server[2]} ${server[3]}` : 'it forbids it'
}

/** All of it in one sentence. */
export function whyNot(notes: readonly RouteNote[]): string {
  const of = (what: RouteNote['what']) => [...new Set(notes.filter((note) => note.what === what).map(({why}) => why))]
  const refused = of('refused')
  return [
    ...of('unfit'),
    ...(of('denied').length > 0 ? [`not allowed: ${of('denied').join('; ')}`] : []),
    ...of('failed'),
    ...of('missing'),
    ...(refused.length > 0 ? [`nothing listens at ${refused.join(', ')} (connection refused)`] : []),
  ].join('; ')
}
