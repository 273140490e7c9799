// Flags of record, and the request that the verb takes.
import {homedir, hostname} from 'node:os'
import {isAbsolute, join, resolve} from 'node:path'
import {boolean, option, string} from '@oclif/core/flags'
import {systemClock} from '../base/clock.ts'
import {UserError} from '../base/errors.ts'
import {formatInstant} from '../base/instant.ts'
import type {RecordPlace, RecordRequest} from '../record.ts'
import {recordOutputs} from '../render/record.ts'
import {outputFlags} from './flags.ts'
import {durationOf} from './inject-flags.ts'
import {owner} from './owner.ts'
import {injectPlace, ownPlace, placeFlags} from './place-flags.ts'

const several = {multiple: true, multipleNonGreedy: true} as const

export const recordFlags = {
  listen: string({
    helpValue: 'ENDPOINT',
    ...several,
    description:
      'where clients find the proxy: unix:///tmp/csi.sock, @name, or tcp:127.0.0.1:PORT; may be repeated, each with its --upstream',
  }),
  upstream: string({helpValue: 'ENDPOINT', ...several, description: 'the server behind it: unix:///csi/csi.sock'}),
  socket: string({
    helpValue: 'PATH',
    ...several,
    exclusive: ['listen', 'upstream'],
    description: "a server's own socket, which is taken over for the time, and given back whatever happens; may be repeated",
  }),
  force: boolean({
    exclusive: ['listen'],
    description: 'take a socket over on a node of the control plane, too; calls are recorded and passed on as everywhere',
  }),
  journals: placeFlags.journals,
  'host-root': string({helpValue: 'DIR', description: "where the node's root is mounted, when this runs in a container"}),
  for: string({helpValue: '10m', default: '10m', description: 'how long, at most 24h'}),
  ...outputFlags,
  output: option({char: 'o', options: recordOutputs, default: 'table', description: 'format of the report'})(),
}

interface RecordValues {
  readonly listen?: readonly string[] | undefined
  readonly upstream?: readonly string[] | undefined
  readonly socket?: readonly string[] | undefined
  readonly force?: boolean
  readonly journals?: string | undefined
  readonly 'host-root'?: string | undefined
  readonly for: string
}

/** @param hurry the second Ctrl-C @throws UserError */
export function recordRequest(
  file: string | undefined,
  flags: RecordValues,
  tool: string,
  {signal, hurry}: {readonly signal: AbortSignal; readonly hurry: AbortSignal},
): RecordRequest {
  const forMs = durationOf(flags.for)
  const places = placesOf(flags, hurry)
  const node = hostname()
  const path = file === undefined ? usualFile(process.env, node, systemClock.now()) : resolve(file)
  return {file: path, places, forMs, node, tool, uid: owner().uid, pid: process.pid, clock: systemClock, signal}
}

/** In the user's folder of state, as the XDG Base Directory Specification has it. */
export function usualFile({XDG_STATE_HOME = ''}: NodeJS.ProcessEnv, node: string, now: number): string {
  // A relative one is invalid, and to be ignored.
  const state = isAbsolute(XDG_STATE_HOME) ? XDG_STATE_HOME : join(homedir(), '.local/state')
  const moment = formatInstant(now).replace(/\.\d+/, '').replaceAll(':', '-')
  return join(state, 'kubelimbo/recordings', `${node.replaceAll(/[^\w.-]/g, '_')}-${moment}.jsonl`)
}

function placesOf(flags: RecordValues, hurry: AbortSignal): readonly RecordPlace[] {
  const {socket = [], listen = [], upstream = [], ...more} = flags
  const twice = [...socket, ...listen].find((each, index, all) => all.indexOf(each) !== index)
  if (twice !== undefined) throw new UserError(`Cannot record as each socket must be named once: '${twice}' is named twice`)
  if (socket.length > 0) return socket.map((each) => injectPlace({...more, socket: each}, {}, hurry))
  if (listen.length === 0 && upstream.length === 0)
    throw new UserError('Cannot record as --socket or --listen must be given: it is not', {
      hint: "--socket names a server's own socket, which is taken over for the time; --listen and --upstream put a proxy on another path before it",
    })
  const pairs = Math.max(listen.length, upstream.length, 1)
  return Array.from({length: pairs}, (_, index) => ownPlace({listen: listen[index], upstream: upstream[index]}, 'record'))
}
