// What the API server says of one claim and of the volume that it is bound to: two GETs. The kubelet's own identity may read those of its node's pods.
import type {Claim, PersistentVolume} from '../claim.ts'
import {bodyOf, type HttpReading, type HttpWork, readHttp} from '../http/reading.ts'
import type {Route} from '../http/routes.ts'
import {absent, type Reading, read} from '../reading.ts'
import {routeOf} from './api-route.ts'
import {parseClaim, parsePersistentVolume} from './claim-objects.ts'
import type {Credentials} from './credentials.ts'

export interface ClaimAnswers {
  /** Absent: nobody could ask, or there is no such claim. */
  readonly claim: Reading<Claim>
  /** Absent, too, when the claim is not bound. */
  readonly volume: Reading<PersistentVolume>
  /** There are credentials, and with them there is no such claim. */
  readonly missing: boolean
}

interface Question extends HttpWork {
  readonly credentials: readonly Credentials[]
  readonly namespace: string
  readonly name: string
}

/** @throws the signal's reason */
export async function readClaim({credentials, namespace, name, ...work}: Question): Promise<ClaimAnswers> {
  const routes = credentials.flatMap(routeOf)
  if (routes.length === 0) {
    const nothing = absent('there are no credentials for the API server')
    return {claim: nothing, volume: nothing, missing: false}
  }
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/persistentvolumeclaims/${encodeURIComponent(name)}`
  const claim = await readOne(routes, path, parseClaim, 'get persistentvolumeclaims', work)
  if (claim.reading.state !== 'read')
    return {claim: claim.reading, volume: absent('its claim is not known'), missing: claim.reading.state === 'absent'}
  const {volume} = claim.reading.value
  if (volume === undefined) return {claim: claim.reading, volume: absent('the claim is not bound to a volume'), missing: false}
  const volumePath = `/api/v1/persistentvolumes/${encodeURIComponent(volume)}`
  const bound = await readOne(routes, volumePath, parsePersistentVolume, 'get persistentvolumes', work)
  return {claim: claim.reading, volume: bound.reading, missing: false}
}

function readOne<T>(
  routes: readonly Route[],
  path: string,
  parse: (text: string) => T,
  right: string,
  work: HttpWork,
): Promise<HttpReading<T>> {
  return readHttp(
    {
      routes,
      path,
      decode: (reply) => read(parse(bodyOf(reply))),
      help: `it takes credentials (--kubeconfig) of somebody who may ${right}`,
      mayBeMissing: 'the API server has no such object',
    },
    work,
  )
}
