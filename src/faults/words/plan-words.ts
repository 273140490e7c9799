// A plan as the end of a sentence.

import type {SocketFault} from '../fault.ts'
import type {Plan, Replacement, Reply} from '../plan.ts'
import {type WholeMessages, wholeMessages} from '../whole-messages.ts'
import {editWords} from './edit-words.ts'
import {cutWords} from './value-words.ts'

export function planWords(plan: Plan, jitter: number): string {
  const {before, forward, upstreamDeadline, request = [], reply} = plan
  const waits = (before > 0 || (jitter > 0 && reply.kind !== 'hold')) && before < Number.POSITIVE_INFINITY
  const wait = waits ? `wait ${ms(before, jitter)}, then ` : ''
  if (forward === 0) return `${wait}do not run it and ${answer(reply, jitter)}`
  const changed = request.length === 0 ? '' : ` with ${editWords(request)}`
  const deadline = upstreamDeadline === 'strip' ? ', whatever its deadline,' : ''
  return `${wait}run it${forward === 2 ? ' twice' : ''}${changed}${deadline} and ${answer(reply, jitter)}${needs(wholeMessages(plan))}`
}

export function socketWords(socket: SocketFault): string {
  switch (socket) {
    case 'refuse':
      return 'nobody listens on it, and its file stays'
    case 'no-socket':
      return 'its file is not there'
    case 'accept-silent':
      return 'connections are taken, and nothing is ever sent'
    default:
      return socket satisfies never
  }
}

function answer(reply: Reply, jitter: number): string {
  switch (reply.kind) {
    case 'pass':
      return 'pass on its answer'
    case 'hold':
      return reply.ms === Number.POSITIVE_INFINITY ? 'never answer' : `answer ${ms(reply.ms, jitter)} late`
    case 'replace':
      return replacement(reply.with)
    case 'reset':
      return reply.scope === 'stream' ? 'break its stream' : 'break the connection'
    case 'edit':
      return `pass on its answer with ${editWords(reply.edits)}`
    case 'stale':
      return 'answer what the same request was answered before'
    case 'swap':
      return 'answer the first of each two when the second has been answered'
    case 'throttle':
      return `pass on its answer at ${reply.bytesPerSecond} bytes per second`
    case 'cut':
      return `end its stream after ${messages(reply.after)} ${reply.code === undefined ? 'as if that were all' : `with ${reply.code}`}`
    case 'stall':
      return `pass on ${messages(reply.after)} of its stream, then nothing, and leave it open`
    default:
      return reply satisfies never
  }
}

function replacement(given: Replacement): string {
  if (!('code' in given)) return 'answer OK'
  const types = given.details?.map(({type}) => type) ?? []
  return `answer ${given.code}${types.length === 0 ? '' : ` with the details ${cutWords(types.join(', '))}`}`
}

/** What does not fit passes as it is. */
function needs({request, reply}: WholeMessages): string {
  if (!request && !reply) return ''
  const what = request && reply ? 'both must be there as a whole' : `the ${request ? 'request' : 'answer'} must be there as a whole`
  return ` (${what})`
}

const ms = (wait: number, jitter: number): string => (jitter === 0 ? `${wait} ms` : `${wait} to ${wait + jitter} ms`)
const messages = (count: number): string => (count === 1 ? '1 message' : `${count} messages`)
