// The API server's pods in memory. A call that it has got is carried out, whether its caller waits or not.
import {isDeepStrictEqual} from 'node:util'
import type {Clock} from '../../base/clock.ts'
import type {Dice} from '../../base/dice.ts'
import type {BoundClaim, Pod} from '../../kubelet/pod.ts'
import {podKey} from '../../kubelet/pod.ts'
import {CallFailure} from '../../kubelet/port.ts'
import type {ApiMethods, PodEvent} from '../../kubelet/ports.ts'
import type {Timeline} from '../../timeline/timeline.ts'
import type {Server} from '../port/server.ts'
import {lateStatus} from './as-written.ts'
import {deletion, goesWithItsFinalizers} from './graceful-deletion.ts'
import {podFrom, uuid} from './pod-defaults.ts'
import type {PodManifest} from './pod-manifest.ts'
import {podWatch} from './pod-watch.ts'
import {validateStatus, wholeSeconds} from './status-update.ts'

export interface ApiServer {
  /** What the kubelet's client calls. */
  readonly server: Server<ApiMethods>
  /** @param onListed when the watcher has heard of all that is there */
  watchPods(onEvent: (event: PodEvent) => void, signal: AbortSignal, onListed?: () => void): void
  /** What it would answer, had it done it. */
  readonly asIfDone: ReadonlyMap<string, (request: object) => unknown>
  get(key: string): Pod | undefined
  list(): readonly Pod[]
  /** 'namespace/name' of a pod that there is or was. */
  nameOf(uid: string): string | undefined
  addClaim(claim: BoundClaim): void
  claims(): readonly BoundClaim[]
  dropClaim(claim: {readonly namespace: string; readonly name: string}): void
  create(manifest: PodManifest): Promise<Pod>
  delete(key: string, gracePeriodSeconds?: number): Promise<void>
  removeFinalizers(key: string): Promise<void>
  /** Of all kinds there are: the version of the last write. */
  readonly revision: {current(): number; next(): number}
  /** @param dice default: those that pods have theirs of */
  newUid(dice?: Dice): string
  /** Hears of each write of a pod at once, in order; `before` is absent when it is new. */
  onWrite(listener: (event: PodEvent, before: Pod | undefined) => void): void
  add(pod: Pod, options?: WriteOptions): Promise<Pod>
  /** Writes what `change` makes of it; nothing when that is the same object. A pod whose grace is over goes with its last finalizer. */
  update(key: string, change: (pod: Pod) => Pod, options?: WriteOptions): Promise<Pod>
  remove(key: string, gracePeriodSeconds: number | undefined, options?: RemoveOptions): Promise<Pod>
}

export interface WriteOptions {
  /** Answers as if it were done. */
  readonly dryRun?: boolean
}

export interface RemoveOptions extends WriteOptions {
  /** Throws what speaks against it. */
  readonly check?: (pod: Pod) => void
}

export function apiServer(clock: Clock, timeline: Timeline, dice: Dice): ApiServer {
  const pods = new Map<string, Pod>()
  const names = new Map<string, string>()
  const claims = new Map<string, BoundClaim>()
  const uids = dice.of('uids')
  const watch = podWatch(clock, dice.of('watch'))
  const listeners: ((event: PodEvent, before: Pod | undefined) => void)[] = []
  let revision = 0

  const tell = (type: PodEvent['type'], pod: Pod): Pod => {
    const stamped = Object.freeze({...pod, metadata: Object.freeze({...pod.metadata, resourceVersion: ++revision})})
    timeline.object({type, pod: podKey(pod), uid: pod.metadata.uid, object: stamped})
    const event = {type, pod: stamped}
    watch.changed(event)
    for (const listener of listeners) listener(event, type === 'DELETED' ? pod : pods.get(podKey(pod)))
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
  const remove = (pod: Pod, gracePeriodSeconds: number | undefined): Pod => {
    const outcome = deletion(pod, gracePeriodSeconds, clock.now())
    const written = outcome.pod === pod ? pod : write('MODIFIED', outcome.pod)
    if (outcome.removed) removed(written)
    return written
  }
  const add = (pod: Pod, {dryRun = false}: WriteOptions): Pod => {
    if (pods.has(podKey(pod))) throw new CallFailure('AlreadyExists', `pods "${pod.metadata.name}" already exists`)
    if (dryRun) return pod
    names.set(pod.metadata.uid, podKey(pod))
    return write('ADDED', pod)
  }
  return {
    server: {
      'GET pod': (request) => answer(() => find(keyOf(request))),
      'PATCH pod/status': (request) =>
        answer(() => {
          const pod = find(keyOf(request), request.uid)
          const asked = lateStatus(request)?.(pod) ?? request.status
          validateStatus(pod, asked)
          const status = wholeSeconds(asked)
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
          const pod = find(keyOf({namespace, name}), uid)
          return {...pod, status: wholeSeconds(lateStatus(request)?.(pod) ?? status)}
        },
      ],
    ]),
    watchPods: (onEvent, signal, onListed) => watch.watch(onEvent, [...pods.values()], signal, onListed),
    get: (key) => pods.get(key),
    list: () => [...pods.values()],
    nameOf: (uid) => names.get(uid),
    addClaim: (claim) => claims.set(keyOf(claim), claim),
    claims: () => [...claims.values()],
    dropClaim: (claim) => void claims.delete(keyOf(claim)),
    create: async (manifest) => {
      const pod = podFrom(manifest, clock.now(), uids)
      return answer(() => add(pod, {}))
    },
    delete: (key, gracePeriodSeconds) => answer(() => void remove(find(key), gracePeriodSeconds)),
    revision: {current: () => revision, next: () => ++revision},
    newUid: (from = uids) => uuid(from),
    onWrite: (listener) => void listeners.push(listener),
    add: (pod, options = {}) => answer(() => add(pod, options)),
    update: (key, change, {dryRun = false} = {}) =>
      answer(() => {
        const pod = find(key)
        const next = change(pod)
        if (next === pod || dryRun) return next
        const goes = goesWithItsFinalizers(next) && !next.metadata.finalizers?.length
        const written = write('MODIFIED', next)
        if (goes) removed(written)
        return written
      }),
    remove: (key, gracePeriodSeconds, {check, dryRun = false} = {}) =>
      answer(() => {
        const pod = find(key)
        check?.(pod)
        return dryRun ? deletion(pod, gracePeriodSeconds, clock.now()).pod : remove(pod, gracePeriodSeconds)
      }),
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
