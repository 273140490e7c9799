// A pod as JSON, and back: the model's fields are read from the document, the rest of it stays with the pod.
import {formatInstant, readInstant} from '../../base/instant.ts'
import type {Container, Pod, PodMetadata, PodSpec, RestartPolicy, Volume} from '../../kubelet/pod.ts'
import {asWritten, withWritten} from '../api-server/as-written.ts'
import {at, defined, isList, type JsonObject, number, object, objects, text} from './json.ts'
import {defaultedPod} from './pod-spec-defaults.ts'
import {modelPodStatus, podStatusDocument, podStatusFromDocument} from './pod-status-document.ts'

const known = new WeakMap<Pod, JsonObject>()

/** With what the server decides. The same object for the same pod. @param nodeName of a pod that no client wrote */
export function podDocument(pod: Pod, nodeName: string): JsonObject {
  const before = known.get(pod)
  if (before !== undefined) return before
  const written = asWritten(pod) ?? defaultedPod({spec: pod.spec as unknown as JsonObject}, nodeName)
  const {metadata} = pod
  const document: JsonObject = {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: defined({
      generation: 1,
      ...object(written, 'metadata'),
      name: metadata.name,
      namespace: metadata.namespace,
      uid: metadata.uid,
      resourceVersion: String(metadata.resourceVersion),
      creationTimestamp: formatInstant(metadata.creationTimestamp),
      deletionTimestamp: metadata.deletionTimestamp === undefined ? undefined : formatInstant(metadata.deletionTimestamp),
      deletionGracePeriodSeconds: metadata.deletionGracePeriodSeconds,
      finalizers: metadata.finalizers,
      labels: metadata.labels,
    }),
    spec: object(written, 'spec'),
    status: {...podStatusDocument(pod.status), ...defined({qosClass: at(written, 'status', 'qosClass')})},
  }
  known.set(pod, document)
  return document
}

/** With what was written. */
export function podFromDocument(document: JsonObject): Pod {
  return withWritten({...modelPod(document), status: podStatusFromDocument(object(document, 'status'))}, document)
}

/** As a kubelet of the model has it, and no more. */
export function modelPod(document: JsonObject): Pod {
  return {
    metadata: metadataFrom(object(document, 'metadata')),
    spec: specFrom(object(document, 'spec')),
    status: modelPodStatus(object(document, 'status')),
  }
}

function metadataFrom(metadata: JsonObject): PodMetadata {
  const deletionTimestamp = readInstant(text(metadata, 'deletionTimestamp'))
  const deletionGracePeriodSeconds = number(metadata, 'deletionGracePeriodSeconds')
  const finalizers = at(metadata, 'finalizers')
  const labels = at(metadata, 'labels')
  return {
    namespace: text(metadata, 'namespace') ?? '',
    name: text(metadata, 'name') ?? '',
    uid: text(metadata, 'uid') ?? '',
    resourceVersion: Number(text(metadata, 'resourceVersion') ?? 0),
    creationTimestamp: readInstant(text(metadata, 'creationTimestamp')) ?? 0,
    ...(deletionTimestamp === undefined ? {} : {deletionTimestamp}),
    ...(deletionGracePeriodSeconds === undefined ? {} : {deletionGracePeriodSeconds}),
    ...(isList(finalizers) && finalizers.length > 0 ? {finalizers: finalizers.map(String)} : {}),
    ...(labels ? {labels: labels as Readonly<Record<string, string>>} : {}),
  }
}

function specFrom(spec: JsonObject): PodSpec {
  const activeDeadlineSeconds = number(spec, 'activeDeadlineSeconds')
  const initContainers = objects(spec, 'initContainers')
  const volumes = objects(spec, 'volumes').flatMap(volumeFrom)
  return {
    restartPolicy: (text(spec, 'restartPolicy') ?? 'Always') as RestartPolicy,
    terminationGracePeriodSeconds: number(spec, 'terminationGracePeriodSeconds') ?? 30,
    ...(activeDeadlineSeconds === undefined ? {} : {activeDeadlineSeconds}),
    ...(initContainers.length === 0 ? {} : {initContainers: initContainers.map(containerFrom)}),
    containers: objects(spec, 'containers').map(containerFrom),
    ...(volumes.length === 0 ? {} : {volumes}),
  }
}

/** Only those that a CSI driver serves. */
function volumeFrom({name, persistentVolumeClaim, csi}: JsonObject): readonly Volume[] {
  if (persistentVolumeClaim) return [{name, persistentVolumeClaim} as unknown as Volume]
  return csi ? [{name, csi} as unknown as Volume] : []
}

function containerFrom(container: JsonObject): Container {
  const postStart = object(container, 'lifecycle', 'postStart')
  const parts = ['command', 'args'].flatMap((field) => at(container, field) ?? []).map(String)
  return {
    name: text(container, 'name') ?? '',
    image: text(container, 'image') ?? '',
    imagePullPolicy: (text(container, 'imagePullPolicy') ?? 'IfNotPresent') as Container['imagePullPolicy'],
    // Arguments without a command are run as one: the model does not know what the image would run.
    command: parts,
    ...(postStart.exec === undefined ? {} : {lifecycle: {postStart} as unknown as NonNullable<Container['lifecycle']>}),
    ...defined({
      readinessProbe: container.readinessProbe,
      volumeMounts: container.volumeMounts,
      volumeDevices: container.volumeDevices,
    }),
  }
}
