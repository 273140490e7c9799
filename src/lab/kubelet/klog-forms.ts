// How each text of the model's log stands in a kubelet's log at -v=2. What is not here is logged at a higher level only.
import type {LogEvent} from '../../timeline/event.ts'

export interface KlogForm {
  /** The letter of the header. */
  readonly severity: 'I' | 'W' | 'E'
  readonly file: string
  /** It is a text to this day, and no message with pairs. */
  readonly plain?: true
  /** Before key=value pairs, where the words were others. */
  readonly old?: (event: LogEvent) => string
}

export function klogFormOf(text: string): KlogForm | undefined {
  return forms.get(text) ?? begins.find(([start]) => text.startsWith(start))?.[1]
}

const fieldOf = ({fields}: LogEvent, name: string): string => String(fields?.[name] ?? '')

const forms = new Map<string, KlogForm>([
  [
    'Status update on pod aborted',
    {severity: 'E', file: 'status_manager.go', old: (event) => `Status update on pod ${event.pod} aborted: ${fieldOf(event, 'error')}`},
  ],
  ['Pod was deleted and then recreated, skipping status update', {severity: 'I', file: 'status_manager.go'}],
  ['Failed to get status for pod', {severity: 'W', file: 'status_manager.go'}],
  ['Failed to update status for pod', {severity: 'W', file: 'status_manager.go'}],
  ['Failed to delete status for pod', {severity: 'W', file: 'status_manager.go'}],
  ['Terminal running pod should have already been marked as failed, programmer error', {severity: 'I', file: 'status_manager.go'}],
  [
    'Error syncing pod, skipping',
    {severity: 'E', file: 'pod_workers.go', old: (event) => `Error syncing pod ${event.pod}, skipping: ${fieldOf(event, 'err')}`},
  ],
  ['Container termination failed with gracePeriod', {severity: 'E', file: 'kuberuntime_container.go'}],
  ['Pod attempted illegal phase transition', {severity: 'E', file: 'kubelet_pods.go'}],
  ['Killing unwanted pod', {severity: 'I', file: 'kubelet_pods.go'}],
  ['Failed killing the pod', {severity: 'E', file: 'kubelet_pods.go'}],
  ['Failed cleaning pods', {severity: 'E', file: 'kubelet.go'}],
  ['Eviction manager: pod failed to evict', {severity: 'E', file: 'eviction_manager.go'}],
  ['eviction manager: pod failed to evict', {severity: 'E', file: 'eviction_manager.go'}],
  ['GenericPLEG: Unable to retrieve pods', {severity: 'E', file: 'generic.go'}],
  ['GenericPLEG: Unable to retrieve pod', {severity: 'E', file: 'generic.go'}],
  ['event channel is full, discard this relist() cycle event', {severity: 'E', file: 'generic.go'}],
  ['Relist request channel full; dropping relist request', {severity: 'E', file: 'generic.go'}],
  ['DeleteContainer returned error', {severity: 'I', file: 'pod_container_deletor.go'}],
  ['Failed to issue the request to remove container', {severity: 'I', file: 'pod_container_deletor.go'}],
])

const begins: readonly (readonly [string, KlogForm])[] = [
  ['skipping pod synchronization - ', {severity: 'E', file: 'kubelet.go'}],
  ['kubernetes.io/csi: Trying to validate a new CSI Driver', {severity: 'I', file: 'csi_plugin.go', plain: true}],
  ['kubernetes.io/csi: Register new plugin', {severity: 'I', file: 'csi_plugin.go', plain: true}],
]

/** All of them, for whoever asks whether the model says them. */
export const klogTexts: readonly string[] = [...forms.keys(), ...begins.map(([start]) => start)]
