// Every call by a proxy, as it ends, and who spent the deadlines: of an injector that runs, or of a proxy of its own.
import type {Clock} from './base/clock.ts'
import type {TracedCall} from './proxy/call/traced-call.ts'
import {controlClient} from './proxy/control/control-client.ts'
import {serveProxy} from './proxy/serve-proxy.ts'
import {mustListen} from './proxy/stand/must-listen.ts'
import {type Ledger, ledgerBook} from './proxy/trace/ledger.ts'
import type {TraceHears} from './proxy/trace/trace-hears.ts'

export type TraceSource =
  /** The control socket of an injector. */
  {readonly control: string} | {readonly listen: string; readonly upstream: string}

export interface TraceRequest {
  readonly source: TraceSource
  /** Then it ends by itself. */
  readonly forMs?: number
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** Ends when the time is over, the signal comes or the injector ends. @throws UserError when it cannot begin */
export async function trace({source, forMs, clock, signal}: TraceRequest, hears: TraceHears): Promise<Ledger> {
  const book = ledgerBook()
  const heard = (call: TracedCall) => {
    book.add(call)
    hears.call(call)
  }
  const over = new AbortController()
  const either = AbortSignal.any([signal, over.signal])
  const timer = forMs === undefined ? undefined : clock.sleep(forMs, either)
  timer?.then(
    () => over.abort(),
    () => undefined,
  )
  try {
    if ('control' in source) await follow(source.control, either, {...hears, call: heard})
    else await watch({...source, clock, signal: either}, {...hears, call: heard})
  } catch (error) {
    if (!either.aborted) throw error
  } finally {
    over.abort()
  }
  return book.ledger()
}

async function follow(control: string, signal: AbortSignal, hears: TraceHears): Promise<void> {
  const client = controlClient(control, signal)
  const {listen, upstream} = await client.info()
  hears.started(`${listen} before ${upstream}`)
  for await (const call of client.calls()) hears.call(call)
}

async function watch(
  {
    listen,
    upstream,
    clock,
    signal,
  }: {readonly listen: string; readonly upstream: string; readonly clock: Clock; readonly signal: AbortSignal},
  hears: TraceHears,
): Promise<void> {
  await mustListen(upstream, '--upstream')
  const options = {listen, upstream, rules: [], seed: 1, clock, decodeAll: true}
  await using proxy = await serveProxy({...options, onCall: hears.call, onTrouble: hears.trouble})
  hears.started(`${proxy.address} before ${upstream}`)
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), {once: true})
  })
}
