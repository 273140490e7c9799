// Flags of record, and the request that the verb takes.
import {homedir, hostname} from 'node:os'
import {isAbsolute, join} from 'node:path'
import {option, string} from '@oclif/core/flags'
import {systemClock} from '../base/clock.ts'
import {UserError} from '../base/errors.ts'
import {formatInstant} from '../base/instant.ts'
import {parseProxyAddress} from '../proxy/listen/proxy-address.ts'
import type {RecordPlace, RecordRequest} from '../record.ts'
import {recordOutputs} from '../render/record.ts'
import {outputFlags} from './flags.ts'
import {durationOf} from './inject-flags.ts'

export const recordFlags = {
  listen: string({
    helpValue: 'ENDPOINT',
    multiple: true,
    multipleNonGreedy: true,
    description:
      'where clients find the proxy: unix:///tmp/csi.sock, @name, or tcp:127.0.0.1:PORT; may be repeated, each with its --upstream',
  }),
  upstream: string({
    helpValue: 'ENDPOINT',
    multiple: true,
    multipleNonGreedy: true,
    description: 'the server behind it: unix:///csi/csi.sock',
  }),
  for: string({helpValue: '10m', default: '10m', description: 'how long, at most 24h'}),
  ...outputFlags,
  output: option({char: 'o', options: recordOutputs, default: 'table', description: 'format of the report'})(),
}

interface RecordValues {
  readonly listen?: readonly string[] | undefined
  readonly upstream?: readonly string[] | undefined
  readonly for: string
}

/** @throws UserError */
export function recordRequest(file: string | undefined, flags: RecordValues, tool: string, signal: AbortSignal): RecordRequest {
  const forMs = durationOf(flags.for)
  const node = hostname()
  const common = {places: placesOf(flags), forMs, node, tool, clock: systemClock, signal}
  return {...common, file: file ?? usualFile(process.env, node, systemClock.now())}
}

/** In the user's folder of state, as the XDG Base Directory Specification has it. */
export function usualFile({XDG_STATE_HOME = ''}: NodeJS.ProcessEnv, node: string, now: number): string {
  // A relative one is invalid, and to be ignored.
  const state = isAbsolute(XDG_STATE_HOME) ? XDG_STATE_HOME : join(homedir(), '.local/state')
  const moment = formatInstant(now).replace(/\.\d+/, '').replaceAll(':', '-')
  return join(state, 'kubelimbo/recordings', `${node.replaceAll(/[^\w.-]/g, '_')}-${moment}.jsonl`)
}

function placesOf({listen = [], upstream = []}: RecordValues): readonly RecordPlace[] {
  const missing = listen.length <= upstream.length ? '--listen' : '--upstream'
  if (listen.length !== upstream.length || listen.length === 0)
    throw new UserError(
      `Cannot record as ${missing} must be given: it is ${listen.length + upstream.length === 0 ? 'not' : 'not, for each of the others'}`,
      {
        hint: '--listen is where clients find the proxy, --upstream the server behind it',
      },
    )
  for (const each of listen) parseProxyAddress(each, '--listen')
  for (const each of upstream) parseProxyAddress(each, '--upstream')
  return listen.map((each, index) => ({listen: each, upstream: upstream[index] ?? ''}))
}
