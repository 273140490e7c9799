// What the API server says of this node: three GETs.
import {firstLine} from '../../base/errors.ts'
import {decoders} from '../bundle/decode.ts'
import {bodyOf, type HttpReading, type HttpWork, keeping, readHttp} from '../http/reading.ts'
import {absent, failed, read} from '../reading.ts'
import type {Readings} from '../snapshot.ts'
import {routeOf} from './api-route.ts'
import type {Credentials} from './credentials.ts'
import {eventsOfNode} from './node-events.ts'
import {parseNode} from './node-object.ts'

export type ApiSource = 'api.pods' | 'api.events' | 'api.node'

export interface ApiAnswers {
  readonly readings: Pick<Readings, ApiSource>
  readonly how: Readonly<Partial<Record<ApiSource, string>>>
}

interface Question extends HttpWork {
  readonly credentials: readonly Credentials[]
  /** '' when it is not known. */
  readonly node: string
}

/** Enough for a busy cluster's hour, which is as long as events are kept. */
const mostEvents = 5000

/** @throws the signal's reason */
export async function readApiServer({credentials, node, ...work}: Question): Promise<ApiAnswers> {
  const routes = credentials.flatMap(routeOf)
  const nothing =
    routes.length === 0 ? 'there are no credentials for the API server' : node === '' ? "the node's name is not known" : undefined
  if (nothing !== undefined) {
    const reading = absent(nothing)
    return {readings: {'api.pods': reading, 'api.events': reading, 'api.node': reading}, how: {}}
  }
  const when = work.clock.now()
  const name = encodeURIComponent(node)
  // resourceVersion=0: out of the server's memory, as kubelets ask; else each such list costs the cluster's database all of its pods.
  const pods = readHttp(
    {
      routes,
      path: `/api/v1/pods?fieldSelector=spec.nodeName%3D${name}&resourceVersion=0`,
      decode: (reply) => keeping(work, bodyOf(reply), (text) => decoders['api.pods'](text, {when})),
      help: 'it takes credentials (--kubeconfig) of somebody who may list pods',
    },
    work,
  )
  const events = readHttp<string>(
    {
      routes,
      path: `/api/v1/events?fieldSelector=involvedObject.kind%3DPod&limit=${mostEvents}`,
      decode: (reply) => read(bodyOf(reply)),
      help: "the kubelet's own identity may never list events",
      mayBeDenied: true,
    },
    work,
  )
  const status = readHttp(
    {
      routes,
      path: `/api/v1/nodes/${name}`,
      decode: (reply) => read(parseNode(bodyOf(reply))),
      help: 'it takes credentials (--kubeconfig) of somebody who may get nodes',
    },
    work,
  )
  const [listed, all, own] = await Promise.all([pods, events, status])
  const uids = listed.reading.state === 'read' ? listed.reading.value.map(({uid}) => uid) : []
  return {
    readings: {'api.pods': listed.reading, 'api.events': ownEvents(all, {node, uids: new Set(uids), when}, work), 'api.node': own.reading},
    how: ways({'api.pods': listed, 'api.events': all, 'api.node': own}),
  }
}

function ownEvents(
  {reading, how}: HttpReading<string>,
  {node, uids, when}: {node: string; uids: ReadonlySet<string>; when: number},
  work: HttpWork,
): Readings['api.events'] {
  if (reading.state !== 'read') return reading
  const {text, cut} = eventsOfNode(reading.value, node, uids)
  const incomplete = cut ? `the cluster has more than ${mostEvents} events, and these are of the first` : undefined
  try {
    return keeping(work, text, () => read(decoders['api.events'](text, {when}).value, incomplete))
  } catch (error) {
    return failed(`${how}: ${firstLine(error)}`)
  }
}

function ways(readings: Readonly<Record<ApiSource, HttpReading<unknown>>>): ApiAnswers['how'] {
  return Object.fromEntries(Object.entries(readings).flatMap(([name, {how}]) => (how === undefined ? [] : [[name, how]])))
}
