// A call as rules tell it apart: ids in its request become pods, containers and claims.
import type {Message} from '@bufbuild/protobuf'
import type {MatchedCall} from '../../../faults/rule.ts'
import type {CalledMethod} from '../call-head.ts'
import type {KnownMethod} from '../known-methods.ts'
import type {NameIndex, PodName} from '../names/name-index.ts'
import {claimOf, contextOf, podInContext, type StringMap} from '../names/volume-context.ts'
import {requestValues} from './request-values.ts'
import {type PathFacts, pathFacts} from './volume-paths.ts'

type Names = Pick<MatchedCall, 'pod' | 'podUid' | 'container' | 'pvc'>

/** What requests of CRI and CSI have, as far as it leads to names. */
interface Identifying {
  readonly podSandboxId?: string
  readonly containerId?: string
  /** Of a sandbox, or of a container. */
  readonly config?: {readonly metadata?: Metadata}
  readonly sandboxConfig?: {readonly metadata?: Metadata}
  readonly volumeId?: string
  readonly sourceVolumeId?: string
  readonly targetPath?: string
  readonly volumePath?: string
  readonly stagingTargetPath?: string
  readonly volumeContext?: StringMap
  readonly parameters?: StringMap
}

interface Metadata {
  readonly name: string
  readonly namespace?: string
  readonly uid?: string
}

export function describeCall(called: CalledMethod, known: KnownMethod, request: Message, names: NameIndex): MatchedCall {
  const identifying = request as Message & Identifying
  const found = called.to === 'cri' ? criNames(called.method, identifying, names) : called.to === 'csi' ? csiNames(identifying, names) : {}
  return {...called, ...found, request: requestValues(known.input, request)}
}

/** All that can be said of a call whose request nobody has read. */
export function describeHead(called: CalledMethod): MatchedCall {
  return {...called, request: {}}
}

function criNames(method: string, request: Identifying, names: NameIndex): Names {
  const {config, sandboxConfig, podSandboxId = '', containerId = ''} = request
  if (method === 'RunPodSandbox') return podNames(podOf(config?.metadata))
  const row = containerId === '' ? undefined : names.container(containerId)
  const pod = podOf(sandboxConfig?.metadata) ?? names.podOfSandbox(row?.sandboxId || podSandboxId) ?? row?.pod
  const container = method === 'CreateContainer' ? config?.metadata?.name : row?.name
  return {...podNames(pod), ...(container === undefined ? {} : {container})}
}

function csiNames(request: Identifying, names: NameIndex): Names {
  const {podUid: uidInPath, pv}: PathFacts = pathFacts(request.targetPath || request.volumePath || request.stagingTargetPath || '')
  const context = contextOf(request)
  const inContext = podInContext(context)
  const uid = inContext?.uid || uidInPath
  const pod = inContext ?? (uid === undefined ? undefined : names.podOfUid(uid))
  const pvc =
    claimOf(context) ??
    names.pvcOfVolume(request.volumeId ?? request.sourceVolumeId ?? '') ??
    (pv === undefined ? undefined : names.pvcOfPv(pv))
  return {...podNames(pod), ...(uid === undefined ? {} : {podUid: uid}), ...(pvc === undefined ? {} : {pvc})}
}

function podOf(metadata: Metadata | undefined): PodName | undefined {
  if (metadata === undefined || metadata.name === '') return undefined
  return {namespace: metadata.namespace ?? '', name: metadata.name, uid: metadata.uid ?? ''}
}

function podNames(pod: PodName | undefined): Names {
  if (pod === undefined) return {}
  return {pod: `${pod.namespace}/${pod.name}`, ...(pod.uid === '' ? {} : {podUid: pod.uid})}
}
