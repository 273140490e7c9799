// A watch as a stream of lines. Upstream: apiserver pkg/endpoints/handlers/watch.go
import type {ServerResponse} from 'node:http'
import type {ApiWorld} from './api-world.ts'
import type {JsonObject} from './json.ts'
import {includeObjectOf, inVersion} from './reads.ts'
import {type ApiRequest, transform} from './request.ts'
import type {Target} from './request-path.ts'
import {selectorOf} from './selected.ts'
import {partialMetadata, table} from './table.ts'
import {bookmark, type WatchEvent, watchEvents} from './watch-events.ts'

const bookmarkPeriod = 60_000

/** Ends with the client, or when timeoutSeconds are over. */
export async function streamWatch(world: ApiWorld, request: ApiRequest, target: Target, response: ServerResponse): Promise<void> {
  const {query} = request
  const selector = selectorOf(target, query)
  const collection = world.of(target.kind)
  const form = formOf(world, request, target)
  const send = ({type, object}: WatchEvent) =>
    void response.write(`${JSON.stringify({type, object: type === 'ERROR' ? object : form(object)})}\n`)
  response.writeHead(200, {'content-type': 'application/json'})
  response.flushHeaders()
  const open = watchEvents({
    collection,
    selector,
    resourceVersion: query.get('resourceVersion') ?? '',
    sendInitialEvents: query.get('sendInitialEvents') === 'true',
    current: world.revision,
    onEvent: send,
    signal: request.signal,
  })
  if (open)
    await untilItEnds(world, request, () => query.get('allowWatchBookmarks') === 'true' && send(bookmark(collection, world.revision())))
  response.end()
}

async function untilItEnds({clock}: ApiWorld, {query, signal}: ApiRequest, sendBookmark: () => void): Promise<void> {
  const seconds = Number(query.get('timeoutSeconds') ?? 0)
  const end = seconds > 0 ? clock.now() + seconds * 1000 : Number.POSITIVE_INFINITY
  try {
    while (clock.now() < end) {
      await clock.sleep(Math.min(bookmarkPeriod, end - clock.now()), signal)
      sendBookmark()
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

function formOf({clock}: ApiWorld, {accept, query}: ApiRequest, {kind}: Target): (object: JsonObject) => JsonObject {
  const form = transform(accept)
  if (form === undefined) return (object) => inVersion(kind, object)
  if (form === 'PartialObjectMetadata') return partialMetadata
  let headless = false
  return (object) => {
    const resourceVersion = String((object.metadata as JsonObject).resourceVersion ?? '')
    const rows = table([object], {kind, now: clock.now(), includeObject: includeObjectOf(query), resourceVersion, headless})
    headless = true
    return rows
  }
}
