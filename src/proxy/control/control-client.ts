// Asks a proxy that runs, by its control socket.
import {request as httpRequest, type IncomingMessage} from 'node:http'
import {createInterface} from 'node:readline'
import * as v from 'valibot'
import {firstLine, UserError} from '../../base/errors.ts'
import {type ExitCode, exitCodes} from '../../base/exit-codes.ts'
import type {TracedCall} from '../call/traced-call.ts'
import {isNoSocket} from '../listen/is-no-socket.ts'
import type {Ledger} from '../trace/ledger.ts'
import type {InjectorInfo} from './control-routes.ts'
import type {RuleView} from './rule-view.ts'

export interface Rules {
  readonly paused: boolean
  readonly rules: readonly RuleView[]
}

export interface AddedRules {
  readonly rules: readonly RuleView[]
  /** What of the text has no part in it. */
  readonly warning?: string
}

/** All throw a UserError when nobody answers, or it was refused. */
export interface ControlClient {
  info(): Promise<InjectorInfo & {readonly paused: boolean}>
  rules(): Promise<Rules>
  /** @param text as a file of rules has it. */
  add(text: string): Promise<AddedRules>
  remove(name: string): Promise<void>
  /** @returns how many there were */
  clear(): Promise<number>
  pause(paused: boolean): Promise<void>
  ledger(): Promise<Ledger>
  /** Those that are kept and those that come, until the proxy ends. */
  calls(since?: number): AsyncIterable<TracedCall>
}

/** @param signal ends what is under way, with its reason */
export function controlClient(path: string, signal: AbortSignal): ControlClient {
  const ask = async (method: string, at: string, body?: string): Promise<unknown> => {
    const response = await send(path, {method, at, signal, ...(body === undefined ? {} : {body})})
    const value = jsonOf(await textOf(response), path)
    const status = response.statusCode ?? 0
    if (status < 400) return value
    const refused = v.safeParse(refusalSchema, value)
    const unsaid = {error: `Cannot use ${path} as it must answer: it did with ${status}`, hint: undefined, more: []}
    const {error, hint, more = []} = refused.success ? refused.output : unsaid
    throw new UserError(error, {more, ...(hint === undefined ? {} : {hint}), exit: exitCodes.usage})
  }
  return {
    // What comes from there is our own, of the same user.
    info: async () => (await ask('GET', '/v1')) as InjectorInfo & {readonly paused: boolean},
    rules: async () => (await ask('GET', '/v1/rules')) as Rules,
    add: async (text) => (await ask('POST', '/v1/rules', text)) as AddedRules,
    remove: async (name) => void (await ask('DELETE', `/v1/rules/${encodeURIComponent(name)}`)),
    clear: async () => ((await ask('DELETE', '/v1/rules')) as {readonly removed: number}).removed,
    pause: async (paused) => void (await ask('PUT', '/v1/paused', JSON.stringify({paused}))),
    ledger: async () => (await ask('GET', '/v1/ledger')) as Ledger,
    calls: (since = 0) => callsOf(path, since, signal),
  }
}

const refusalSchema = v.object({error: v.string(), more: v.exactOptional(v.array(v.string())), hint: v.exactOptional(v.string())})

interface Sent {
  readonly method: string
  readonly at: string
  readonly body?: string
  readonly signal: AbortSignal
}

function send(path: string, {method, at, body, signal}: Sent): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({socketPath: path, path: at, method, signal, agent: false}, resolve)
    request.once('error', (error: NodeJS.ErrnoException) =>
      reject(signal.aborted ? signal.reason : unreached(path, error, isNoSocket(path))),
    )
    request.end(body)
  })
}

async function* callsOf(path: string, since: number, signal: AbortSignal): AsyncGenerator<TracedCall> {
  const response = await send(path, {method: 'GET', at: `/v1/calls?since=${since}`, signal})
  try {
    for await (const line of createInterface({input: response})) yield jsonOf(line, path) as TracedCall
  } catch (error) {
    signal.throwIfAborted()
    // The proxy has ended in the middle of a line.
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error
  }
}

function unreached(path: string, error: NodeJS.ErrnoException, isOther: boolean): UserError {
  const exit: ExitCode = exitCodes.blind
  const why = isOther ? 'what is there is no socket' : (unreachedReasons[error.code ?? ''] ?? firstLine(error))
  return new UserError(`Cannot reach the injector at ${path} as it must be running: ${why}`, {
    hint: '`kubelimbo inject` starts one, and says where its control socket is',
    exit,
  })
}

const unreachedReasons: Readonly<Record<string, string>> = {
  ENOTDIR: 'there is no such socket',
  ENOENT: 'there is no such socket',
  ECONNREFUSED: 'it has ended without a word',
  EACCES: 'this user may not ask it',
}

async function textOf(response: IncomingMessage): Promise<string> {
  response.setEncoding('utf8')
  let text = ''
  for await (const piece of response) text += piece
  return text
}

function jsonOf(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UserError(`Cannot use ${path} as it must be the control socket of an injector: it answers something else`, {
      exit: exitCodes.blind,
    })
  }
}
