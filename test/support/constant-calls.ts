// A client of grpc-go under constant calls without retries, and why its calls failed: http2-oracle, the peer.
import {createInterface} from 'node:readline'
import {execa} from 'execa'
import {builtPeers} from './built-peers.ts'
import type {Away} from './restarting-server.ts'

/** A connection for each call, as a kubelet has them to drivers, or one that is kept. */
export type CallingClient = 'Dial' | 'Keep'

/** Microseconds since 1970. */
export interface FailedCall {
  readonly client: CallingClient
  readonly number: number
  readonly begun: number
  readonly ended: number
  /** 'Unavailable' */
  readonly code: string
  readonly message: string
  /** Of the attempt to connect that failed last, if any has: where the message tells of one, it is that one. */
  readonly dialed?: {readonly begun: number; readonly ended: number}
}

export interface ConstantCalls extends AsyncDisposable {
  readonly failed: readonly FailedCall[]
  /** @returns how many calls it has made */
  end(): Promise<number>
}

export async function startConstantCalls(path: string, client: CallingClient, pause = '1ms'): Promise<ConstantCalls> {
  const [oracle = ''] = await builtPeers('http2-oracle')
  const child = execa(oracle, ['call-on', path, client, pause], {reject: false, buffer: false, stdin: 'ignore', stderr: 'inherit'})
  const failed: FailedCall[] = []
  const reading = (async () => {
    let calls = 0
    for await (const line of createInterface({input: child.stdout})) {
      const said = JSON.parse(line) as Partial<FailedCall> & {readonly calls?: number}
      if (said.calls === undefined) failed.push({message: '', ...said} as FailedCall)
      else calls = said.calls
    }
    return calls
  })()
  const end = async () => {
    child.kill('SIGTERM')
    const calls = await reading
    await child
    return calls
  }
  return {failed, end, [Symbol.asyncDispose]: async () => void (await end())}
}

export interface Reasons {
  /** 'Dial C17': the rule that took it, and the code that it answers; no code: it holds calls, which are cut off at the end. */
  readonly taken: ReadonlyMap<string, {readonly rule: string; readonly code?: string}>
  readonly away: readonly Away[]
  /** Until a client has connected again. */
  readonly slackMs: number
}

export interface Explained {
  /** 'Dial: SIGKILL of the server: Unavailable', and how many. */
  readonly kinds: ReadonlyMap<string, number>
  readonly unexplained: readonly FailedCall[]
}

export function explained(failed: readonly FailedCall[], {taken, away, slackMs}: Reasons): Explained {
  const kinds = new Map<string, number>()
  const unexplained: FailedCall[] = []
  for (const call of failed) {
    const reason = reasonOf(call)
    if (reason === undefined) unexplained.push(call)
    else {
      const kind = `${call.client}: ${reason}: ${call.code}`
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
    }
  }
  return {kinds, unexplained}

  function reasonOf({client, number, begun, ended, code, message, dialed}: FailedCall): string | undefined {
    const rule = taken.get(`${client} C${number}`)
    if (rule !== undefined && (rule.code === undefined || rule.code === code)) return `rule ${rule.rule}`
    const during = away.find(({from, until}) => begun / 1000 <= until + slackMs && ended / 1000 >= from)
    if (during !== undefined) return `${during.how} of the server`
    if (dialed === undefined || !message.includes('Error while dialing')) return undefined
    const when = away.find(({from, until}) => dialed.begun / 1000 <= until && dialed.ended / 1000 >= from)
    return when && `${when.how} of the server, as of the last attempt to connect`
  }
}
