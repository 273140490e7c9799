// The calls of a proxy, a line of JSON each: those that are kept, then those that come.
import type {ServerResponse} from 'node:http'
import type {TracedCall} from '../call/traced-call.ts'
import type {CallRing} from '../trace/call-ring.ts'

/** Whoever reads slower than this is behind is let go: calls must not pile up here. */
const mostBehind = 16 * 1024 * 1024

/** `since=ID`: only calls after it. `follow=false`: it ends with those that are kept. */
export function streamCalls(response: ServerResponse, calls: CallRing, parameters: URLSearchParams): void {
  const since = Number(parameters.get('since') ?? 0)
  if (!Number.isSafeInteger(since) || since < 0) {
    response.writeHead(400, {'content-type': 'application/json'})
    response.end(`${JSON.stringify({error: `Cannot use since as it must be the id of a call: it is '${parameters.get('since')}'`})}\n`)
    return
  }
  response.writeHead(200, {'content-type': 'application/x-ndjson'})
  response.flushHeaders()
  const write = (call: TracedCall) => {
    if (call.id <= since) return
    response.write(`${JSON.stringify(call)}\n`)
    if (response.writableLength > mostBehind) response.destroy()
  }
  for (const call of calls.kept()) write(call)
  if (parameters.get('follow') === 'false') response.end()
  else response.once('close', calls.listen(write))
}
