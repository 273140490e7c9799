// A pod as the kubelet's /pods or the API server gives it: only what we look at, whatever shape it came in.
import {arrayOf, type Fields, fieldsOf, integerOf, listItems, onlySet, textOf, timeOf} from './kube-list.ts'

export interface Pod {
  readonly name: string
  readonly namespace: string
  readonly uid: string
  /** Milliseconds since 1970. Static pods have none at the kubelet. */
  readonly createdAt?: number
  /** deletionTimestamp, in milliseconds since 1970. It already includes the grace period. */
  readonly deletedAt?: number
  /** Milliseconds that deletion gives it; part of deletedAt. */
  readonly graceMs?: number
  /** Milliseconds that its own spec gives its containers when they are stopped. */
  readonly ownGraceMs?: number
  readonly finalizers: readonly string[]
  /** 'api', 'file' or 'http': where the kubelet has it from. */
  readonly configSource?: string
  /** Of a mirror pod at the API server: the UID that its static pod has at the kubelet, the runtime and on disk. */
  readonly staticUid?: string
  readonly phase?: string
  readonly reason?: string
  readonly message?: string
  readonly restartPolicy?: string
  /** Regular containers with a restart policy or rules of their own (1.34 and later). */
  readonly ownRestarts?: readonly string[]
  /** Absent when it is not bound to a node. */
  readonly nodeName?: string
  readonly volumes: readonly PodVolume[]
  readonly containers: readonly ContainerState[]
}

export interface PodVolume {
  readonly name: string
  /** The key of its source: 'persistentVolumeClaim', 'csi', 'configMap' … */
  readonly kind: string
  /** Of a persistentVolumeClaim or a generic ephemeral volume. */
  readonly claim?: string
  /** Of an inline csi volume. */
  readonly driver?: string
}

export interface ContainerState extends StateFields {
  readonly name: string
  readonly kind: ContainerKind
  readonly state: 'waiting' | 'running' | 'terminated' | 'unknown'
  /** The id that state.terminated names; a state that was made up has none. `containerId` is that of the status around it. */
  readonly terminatedId?: string
  /** lastState.terminated: how the container before this one ended. */
  readonly last?: StateFields
  readonly restarts?: number
  readonly ready?: boolean
}

export type ContainerKind = 'regular' | 'init' | 'ephemeral'

export interface StateFields {
  readonly reason?: string
  readonly message?: string
  readonly exitCode?: number
  /** As the runtime knows it, without 'containerd://'. */
  readonly containerId?: string
  readonly startedAt?: number
  readonly finishedAt?: number
}

/** All of its containers have ended, and none starts again. */
export function isOver({phase}: Pick<Pod, 'phase'>): boolean {
  return phase === 'Succeeded' || phase === 'Failed'
}

/** What the runtime and the directories know it by: a mirror pod has another UID than its static pod. */
export function nodeUid({uid, staticUid = uid}: Pick<Pod, 'uid' | 'staticUid'>): string {
  return staticUid
}

export function uidsOf(pod: Pick<Pod, 'uid' | 'staticUid'>): readonly string[] {
  return [...new Set([pod.uid, nodeUid(pod)])]
}

/**
 * The pods of a v1 PodList, in its order. An item without a name or a UID is no pod anybody could join with and is left out.
 * @throws Error when the document is no PodList.
 */
export function parsePods(json: unknown): Pod[] {
  return listItems(json, 'Pod').flatMap((item) => parsePod(item) ?? [])
}

function parsePod(item: unknown): Pod | undefined {
  const pod = fieldsOf(item)
  const metadata = fieldsOf(pod?.metadata)
  const name = textOf(metadata?.name)
  const uid = textOf(metadata?.uid)
  if (name === undefined || uid === undefined) return undefined
  const spec = fieldsOf(pod?.spec)
  const status = fieldsOf(pod?.status)
  const annotations = fieldsOf(metadata?.annotations)
  return onlySet<Pod>({
    name,
    namespace: textOf(metadata?.namespace) ?? '',
    uid,
    createdAt: timeOf(metadata?.creationTimestamp),
    deletedAt: timeOf(metadata?.deletionTimestamp),
    graceMs: secondsOf(metadata?.deletionGracePeriodSeconds),
    ownGraceMs: secondsOf(spec?.terminationGracePeriodSeconds),
    finalizers: arrayOf(metadata?.finalizers).flatMap((finalizer) => textOf(finalizer) ?? []),
    configSource: textOf(annotations?.['kubernetes.io/config.source']),
    // pkg/kubelet/types/pod_update.go: both hold the static pod's hash, which is its UID.
    staticUid: textOf(annotations?.['kubernetes.io/config.mirror']) ?? textOf(annotations?.['kubernetes.io/config.hash']),
    phase: textOf(status?.phase),
    reason: textOf(status?.reason),
    message: textOf(status?.message),
    restartPolicy: textOf(spec?.restartPolicy),
    ownRestarts: ownRestartsIn(spec?.containers),
    nodeName: textOf(spec?.nodeName),
    volumes: arrayOf(spec?.volumes).flatMap((volume) => parseVolume(volume, name) ?? []),
    containers: [
      ...statesIn(status?.containerStatuses, 'regular'),
      ...statesIn(status?.initContainerStatuses, 'init'),
      ...statesIn(status?.ephemeralContainerStatuses, 'ephemeral'),
    ],
  })
}

function parseVolume(value: unknown, podName: string): PodVolume | undefined {
  const volume = fieldsOf(value)
  const name = textOf(volume?.name)
  if (volume === undefined || name === undefined) return undefined
  const kind = Object.keys(volume).find((key) => key !== 'name' && fieldsOf(volume[key]) !== undefined) ?? 'unknown'
  const source = fieldsOf(volume[kind])
  return onlySet<PodVolume>({
    name,
    kind,
    claim: claimOf(kind, textOf(source?.claimName), `${podName}-${name}`),
    driver: kind === 'csi' ? textOf(source?.driver) : undefined,
  })
}

/** The claim of a generic ephemeral volume is made for it, and named after both. */
function claimOf(kind: string, claimName: string | undefined, made: string): string | undefined {
  if (kind === 'ephemeral') return made
  return kind === 'persistentVolumeClaim' ? claimName : undefined
}

function ownRestartsIn(containers: unknown): readonly string[] | undefined {
  const own = arrayOf(containers)
    .map(fieldsOf)
    .flatMap((each) => (each?.restartPolicy === undefined && each?.restartPolicyRules === undefined ? [] : (textOf(each.name) ?? [])))
  return own.length === 0 ? undefined : own
}

function secondsOf(value: unknown): number | undefined {
  const seconds = integerOf(value)
  return seconds === undefined ? undefined : seconds * 1000
}

function statesIn(list: unknown, kind: ContainerKind): readonly ContainerState[] {
  return arrayOf(list).flatMap((container) => parseContainer(container, kind) ?? [])
}

// Some kubelets wrote statuses with empty names: they are kept, as their container ids still tell something.
function parseContainer(value: unknown, kind: ContainerKind): ContainerState | undefined {
  const status = fieldsOf(value)
  if (status === undefined) return undefined
  const states = fieldsOf(status.state)
  const state = (['terminated', 'running', 'waiting'] as const).find((key) => fieldsOf(states?.[key]) !== undefined) ?? 'unknown'
  const last = fieldsOf(fieldsOf(status.lastState)?.terminated)
  const {containerId: terminatedId, ...fields} = stateFields(fieldsOf(states?.[state]), state === 'terminated')
  return onlySet<ContainerState>({
    ...fields,
    name: textOf(status.name) ?? '',
    kind,
    state,
    containerId: idOf(status.containerID),
    terminatedId,
    last: last && onlySet<StateFields>(stateFields(last, true)),
    restarts: integerOf(status.restartCount),
    ready: typeof status.ready === 'boolean' ? status.ready : undefined,
  })
}

function stateFields(detail: Fields | undefined, ended: boolean) {
  return {
    reason: textOf(detail?.reason),
    message: textOf(detail?.message),
    exitCode: ended ? integerOf(detail?.exitCode) : undefined,
    containerId: idOf(detail?.containerID),
    startedAt: timeOf(detail?.startedAt),
    finishedAt: timeOf(detail?.finishedAt),
  }
}

function idOf(value: unknown): string | undefined {
  return textOf(textOf(value)?.replace(/^[a-z0-9.+-]+:\/\//i, ''))
}
