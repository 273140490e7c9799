// The API server's pods in memory. A call that it has got is carried out, whether its caller waits or not.
import {isDeepStrictEqual} from 'node:util'
import type {Clock} from '../base/clock.ts'
import type {Dice} from '../base/dice.ts'
import type {BoundClaim, Pod} from '../kubelet/pod.ts'
import {podKey} from '../kubelet/pod.ts'
import {CallFailure} from '../kubelet/port.ts'
import type {ApiMethods, ApiPort, PodEvent} from '../kubelet/ports.ts'
import type {Timeline} from '../timeline/timeline.ts'
import {deletion, goesWithItsFinalizers} from './graceful-deletion.ts'
import {podFrom} from './pod-defaults.ts'
import type {PodManifest} from './pod-manifest.ts'
import {podWatch} from './pod-watch.ts'
import type {Server} from './server.ts'
import {validateStatus, wholeSeconds} from './status-update.ts'

export interface ApiServer {
  /** What the kubelet's client calls. */
  readonly server: Server<ApiMethods>
  readonly watchPods: ApiPort['watchPods']
  /** What it would answer, had it done it. */
  readonly asIfDone: ReadonlyMap<string, (request: object) => unknown>
  get(key: string): Pod | undefined
  list(): readonly Pod[]
  /** 'namespace/name' of a pod that there is or was. */
  nameOf(uid: string): string | undefined
  addClaim(claim: BoundClaim): void
  create(manifest: PodManifest): Promise<Pod>
  delete(key: string, gracePeriodSeconds?: number): Promise<void>
  removeFinalizers(key: string): Promise<void>
}

export function apiServer(clock: Clock, timeline: Timeline, dice: Dice): ApiServer {
  const pods = new Map<string, Pod>()
  const names = new Map<string, string>()
  const claims = new Map<string, BoundClaim>()
  const uids = dice.of('uids')
  const watch = podWatch(clock, dice.of('watch'))
  let revision = 0

  const tell = (type: PodEvent['type'], pod: Pod): Pod => {
    const stamped = Object.freeze({...pod, metadata: Object.freeze({...pod.metadata, resourceVersion: ++revision})})
    timeline.object({type, pod: podKey(pod), uid: pod.metadata.uid, object: stamped})
    watch.changed({type, pod: stamped})
    return stamped
  }
  const write = (type: 'ADDED' | 'MODIFIED', pod: Pod): Pod => {
    const stamped = tell(type, pod)
    pods.set(podKey(pod), stamped)
    return stamped
  }
  const removed = (pod: Pod) => {
    pods.delete(podKey(pod))
    tell('DELETED', pod)
  }
  /** It is done on the way: what others see of it may be there before the caller has the answer. */
  const answer = async <Response>(work: () => Response): Promise<Response> => {
    await clock.sleep(1 + dice.roll(3))
    const response = work()
    await clock.sleep(1 + dice.roll(2))
    return response
  }
  const find = (key: string, uid?: string): Pod => {
    const pod = pods.get(key)
    if (pod === undefined) throw new CallFailure('NotFound', `pods "${nameIn(key)}" not found`)
    if (uid !== undefined && pod.metadata.uid !== uid) {
      const message = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${pod.metadata.uid}`
      throw new CallFailure('Conflict', message)
    }
    return pod
  }
  const remove = (pod: Pod, gracePeriodSeconds: number | undefined) => {
    const outcome = deletion(pod, gracePeriodSeconds, clock.now())
    const written = outcome.pod === pod ? pod : write('MODIFIED', outcome.pod)
    if (outcome.removed) removed(written)
  }
  return {
    server: {
      'GET pod': (request) => answer(() => find(keyOf(request))),
      'PATCH pod/status': (request) =>
        answer(() => {
          const pod = find(keyOf(request), request.uid)
          validateStatus(pod, request.status)
          const status = wholeSeconds(request.status)
          return isDeepStrictEqual(status, pod.status) ? pod : write('MODIFIED', {...pod, status})
        }),
      'GET persistentvolumeclaim': (request) =>
        answer(() => {
          const claim = claims.get(keyOf(request))
          if (claim === undefined) throw new CallFailure('NotFound', `persistentvolumeclaims "${request.name}" not found`)
          return claim
        }),
      'DELETE pod': (request) => answer(() => remove(find(keyOf(request), request.uid), request.gracePeriodSeconds)),
    },
    asIfDone: new Map([
      [
        'PATCH pod/status',
        (request: object): Pod => {
          const {namespace, name, uid, status} = request as ApiMethods['PATCH pod/status']['request']
          return {...find(keyOf({namespace, name}), uid), status: wholeSeconds(status)}
        },
      ],
    ]),
    watchPods: (onEvent, signal) => watch.watch(onEvent, [...pods.values()], signal),
    get: (key) => pods.get(key),
    list: () => [...pods.values()],
    nameOf: (uid) => names.get(uid),
    addClaim: (claim) => claims.set(keyOf(claim), claim),
    create: async (manifest) => {
      const pod = podFrom(manifest, clock.now(), uids)
      return answer(() => {
        if (pods.has(podKey(pod))) throw new CallFailure('AlreadyExists', `pods "${manifest.metadata.name}" already exists`)
        names.set(pod.metadata.uid, podKey(pod))
        return write('ADDED', pod)
      })
    },
    delete: (key, gracePeriodSeconds) => answer(() => remove(find(key), gracePeriodSeconds)),
    removeFinalizers: (key) =>
      answer(() => {
        const pod = find(key)
        if (pod.metadata.finalizers === undefined) return
        if (goesWithItsFinalizers(pod)) return removed(pod)
        const {finalizers: _, ...metadata} = pod.metadata
        write('MODIFIED', {...pod, metadata})
      }),
  }
}

const keyOf = ({namespace, name}: {readonly namespace: string; readonly name: string}): string => `${namespace}/${name}`

const nameIn = (key: string): string => key.slice(key.indexOf('/') + 1)
