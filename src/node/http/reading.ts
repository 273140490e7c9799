// An answer as a reading: decoded, or why it is none. It costs its own deadline and nothing else.
import type {Clock} from '../../base/clock.ts'
import {firstLine} from '../../base/errors.ts'
import {withDeadline} from '../../wire/deadline.ts'
import {absent, failed, type Reading} from '../reading.ts'
import type {HttpReply} from './get.ts'
import {firstAnswer, type Route, whyNot} from './routes.ts'

export interface HttpWork {
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Milliseconds for each source. */
  readonly deadlineMs: number
  /** Keeps the replies in the readings, for a bundle. */
  readonly keepReplies?: boolean
}

export interface HttpReading<T> {
  readonly reading: Reading<T>
  /** The address and the identity that it was read with. */
  readonly how?: string
}

interface Question<T> {
  readonly routes: readonly Route[]
  readonly path: string
  /** @throws Error, one sentence, when the reply is none. */
  readonly decode: (reply: HttpReply) => Reading<T>
  /** What it takes when nobody that we can be is let in. */
  readonly help: string
  /** Nobody is let in, as a rule: then that is no failure. */
  readonly mayBeDenied?: boolean
  /** Said where a server that lets us in has no such object: then that is no failure either. */
  readonly mayBeMissing?: string
}

/** @throws the signal's reason */
export async function readHttp<T>(
  {routes, path, decode, help, mayBeDenied = false, mayBeMissing}: Question<T>,
  work: HttpWork,
): Promise<HttpReading<T>> {
  const {clock, signal, deadlineMs} = work
  if (routes.length === 0) return {reading: absent('there is nobody to ask')}
  const started = clock.now()
  const expired = new Error(
    `no whole answer from ${[...new Set(routes.map(({target}) => target.url.host))].join(' or ')} within ${deadlineMs} ms`,
  )
  try {
    const answer = await withDeadline({clock, ms: deadlineMs, signal, expired: () => expired}, (each) =>
      firstAnswer(routes, path, decode, each),
    )
    if ('value' in answer) return {reading: answer.value, how: answer.how}
    if (mayBeMissing !== undefined && answer.notes.some(({what}) => what === 'missing')) return {reading: absent(mayBeMissing)}
    // Where one of our identities was let in, it is not for want of rights.
    const denied = answer.notes.some(({what}) => what === 'denied') && !answer.notes.some(({what}) => what === 'unfit')
    const why = whyNot(answer.notes) + (denied ? `; ${help}` : '')
    const refused = answer.notes.length > 0 && answer.notes.every(({what}) => what === 'refused')
    const kind = denied ? 'denied' : refused ? 'refused' : undefined
    return {reading: denied && mayBeDenied ? absent(why) : failed(why, clock.now() - started, kind)}
  } catch (error) {
    if (error !== expired) throw error
    return {reading: failed(expired.message, clock.now() - started, 'silent')}
  }
}

/** @throws Error for any status but 200: what it says then is no answer to the question. */
export function bodyOf({status, text}: HttpReply): string {
  if (status === 200) return text
  const said = text.trimStart().startsWith('<') ? '' : firstLine(text.trim()).slice(0, 200)
  throw new Error(`it answers ${status}${said === '' ? '' : `, '${said}'`}`)
}

/** The decoded text, with the text itself where that is wanted. */
export function keeping<T>({keepReplies = false}: HttpWork, text: string, decode: (text: string) => Reading<T>): Reading<T> {
  const reading = decode(text)
  return keepReplies && reading.state === 'read' ? {...reading, raw: text} : reading
}
