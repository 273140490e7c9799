// Pods: what there is of them is with the API server in memory, which the kubelet's direct port uses, too.
import {isDeepStrictEqual} from 'node:util'
import type {Pod} from '../../kubelet/pod.ts'
import {podKey} from '../../kubelet/pod.ts'
import {CallFailure} from '../../kubelet/port.ts'
import type {ApiServer} from '../api-server/api-server.ts'
import {asWritten} from '../api-server/as-written.ts'
import {validateStatus, wholeSeconds} from '../api-server/status-update.ts'
import {fromFailure, invalid} from './api-status.ts'
import type {Collection, DeleteOptions, UpdateOptions} from './collection.ts'
import {history} from './history.ts'
import {type JsonObject, number, object, text} from './json.ts'
import type {Kind} from './kinds.ts'
import {checkPreconditions, newDocument, updatedDocument} from './object-meta.ts'
import {podDocument, podFromDocument} from './pod-document.ts'
import {defaultedPod} from './pod-spec-defaults.ts'
import {podStatusFromDocument} from './pod-status-document.ts'
import {podUpdateErrors} from './pod-update.ts'
import {podErrors} from './pod-validation.ts'

export interface PodParts {
  readonly api: ApiServer
  readonly now: () => number
  readonly suffix: () => string
  /** Where a pod runs that names no node. */
  readonly nodeName: string
  readonly validatePrograms: boolean
}

export function podCollection(kind: Kind, {api, now, suffix, nodeName, validatePrograms}: PodParts): Collection {
  const past = history()
  const documentOf = (pod: Pod): JsonObject => podDocument(pod, nodeName)
  api.onWrite(({type, pod}, before) =>
    past.push({
      type,
      revision: pod.metadata.resourceVersion,
      document: () => documentOf(pod),
      before: () => (before === undefined ? undefined : documentOf(before)),
    }),
  )
  /** In the words of HTTP. */
  const asked = async (name: string, work: Promise<Pod>): Promise<Pod> => {
    try {
      return await work
    } catch (error) {
      throw error instanceof CallFailure ? fromFailure(kind, name, error) : error
    }
  }
  const changed = (pod: Pod, change: (document: JsonObject) => JsonObject, {subresource}: UpdateOptions): Pod => {
    const old = documentOf(pod)
    const wanted = change(old)
    const next = updatedDocument(kind, old, subresource === undefined ? defaultedPod(wanted) : wanted, subresource)
    if (next === old) return pod
    if (subresource !== undefined) {
      const status = podStatusFromDocument(object(next, 'status'))
      validateStatus(pod, status)
      return {...withDocument(pod, next), status: wholeSeconds(status)}
    }
    const errors = podUpdateErrors(old, next)
    if (errors.length > 0) throw invalid(kind, pod.metadata.name, errors)
    return withDocument(pod, isDeepStrictEqual(old.spec, next.spec) ? next : nextGeneration(next))
  }
  return {
    kind,
    history: past,
    follow: ({onEvent, onListed, signal}) => api.watchPods(({type, pod}) => onEvent(type, documentOf(pod)), signal, onListed),
    get: (key) => {
      const pod = api.get(key)
      return pod === undefined ? undefined : documentOf(pod)
    },
    list: () => api.list().map(documentOf),
    create: async (document, dryRun) => {
      const namespace = text(document, 'metadata', 'namespace') ?? 'default'
      const made = defaultedPod(newDocument(kind, document, {namespace, uid: api.newUid(), now: now(), suffix}), nodeName)
      const name = text(made, 'metadata', 'name') ?? ''
      const errors = podErrors(made, validatePrograms)
      if (errors.length > 0) throw invalid(kind, name, errors)
      return documentOf(await asked(name, api.add(newPod(made, now()), {dryRun})))
    },
    update: async (key, change, options) =>
      documentOf(
        await asked(
          nameIn(key),
          api.update(key, (pod) => changed(pod, change, options), options),
        ),
      ),
    delete: async (key, {gracePeriodSeconds, dryRun, ...preconditions}: DeleteOptions) => {
      const check = (pod: Pod) => checkPreconditions(kind, documentOf(pod), preconditions)
      const pod = await asked(nameIn(key), api.remove(key, gracePeriodSeconds, {dryRun, check}))
      const there = api.get(podKey(pod))
      return {document: documentOf(pod), removed: there?.metadata.uid !== pod.metadata.uid}
    },
  }
}

const nameIn = (key: string): string => key.slice(key.indexOf('/') + 1)

/** Already bound to its node. */
function newPod(document: JsonObject, now: number): Pod {
  const pod = podFromDocument(document)
  const lastTransitionTime = Math.floor(now / 1000) * 1000
  const conditions = [{type: 'PodScheduled', status: 'True', lastTransitionTime} as const]
  return {...pod, status: {phase: 'Pending', conditions, initContainerStatuses: [], containerStatuses: []}}
}

/** The status is as it was, and what the server decides. */
function withDocument(pod: Pod, document: JsonObject): Pod {
  const {qosClass} = object(asWritten(pod) ?? document, 'status')
  const status = qosClass === undefined ? {} : {qosClass}
  const {metadata, spec, ...written} = podFromDocument({...document, status})
  return {...written, metadata, spec: isDeepStrictEqual(spec, pod.spec) ? pod.spec : spec, status: pod.status}
}

function nextGeneration(document: JsonObject): JsonObject {
  const metadata = object(document, 'metadata')
  return {...document, metadata: {...metadata, generation: (number(metadata, 'generation') ?? 1) + 1}}
}
