// What Kubernetes writes into the maps of CSI calls: of the pod where the driver asks for it (podInfoOnMount), of the claim where the
// provisioner has --extra-create-metadata.
import type {PodName} from './name-index.ts'

export type StringMap = Readonly<Record<string, string>>

const prefix = 'csi.storage.k8s.io/'

export function contextOf({volumeContext, parameters}: {readonly volumeContext?: StringMap; readonly parameters?: StringMap}): StringMap {
  return volumeContext ?? parameters ?? {}
}

export function podInContext(context: StringMap): PodName | undefined {
  const name = context[`${prefix}pod.name`]
  const namespace = context[`${prefix}pod.namespace`]
  if (name === undefined || namespace === undefined) return undefined
  return {namespace, name, uid: context[`${prefix}pod.uid`] ?? ''}
}

/** 'namespace/name' */
export function claimOf(context: StringMap): string | undefined {
  const name = context[`${prefix}pvc/name`]
  const namespace = context[`${prefix}pvc/namespace`]
  return name === undefined || namespace === undefined ? undefined : `${namespace}/${name}`
}

export function pvOf(context: StringMap): string | undefined {
  return context[`${prefix}pv/name`]
}
