// The lines of the volume manager as the kubelet writes them: what its readers look for is in their words. Upstream: operation_generator.go,
// reconciler_common.go, exponential_backoff.go
import {isInlineHandle} from '../../kubelet/traces/vol-record.ts'
import type {LogEvent} from '../../timeline/event.ts'
import type {KlogForm} from './klog-forms.ts'

export interface LogContext {
  /** Of the pod that had the name when the line was written. */
  readonly uidOf: (pod: string) => string
  readonly node: string
  /** Before key=value pairs: of orphaned directories all is in the message, too. */
  readonly old: boolean
  /** Of an operation that failed: up to 1.17 its key is a volume's name, later that with the pod's in braces. */
  readonly bareKeys: boolean
  /** Up to 1.21 its error is a text in quotes. */
  readonly quotedErrors: boolean
}

/** The whole message with its header's facts; undefined when it is no line of these. */
export function volumeLine(event: LogEvent, context: LogContext): (KlogForm & {readonly message: string}) | undefined {
  const {text, fields = {}} = event
  const form = formOf(text)
  if (form === undefined) return undefined
  const {volume = '', uniqueName = ''} = fields as Readonly<Record<string, string>>
  return {...form, message: form.message({event, context, volume, uniqueName})}
}

interface Line {
  readonly event: LogEvent
  readonly context: LogContext
  readonly volume: string
  readonly uniqueName: string
}

type VolumeForm = Pick<KlogForm, 'severity' | 'file'> & {readonly message: (line: Line) => string}

const info = (file: string, message: VolumeForm['message']): VolumeForm => ({severity: 'I', file, message})
const error = (file: string, message: VolumeForm['message']): VolumeForm => ({severity: 'E', file, message})

function formOf(text: string): VolumeForm | undefined {
  if (text === 'Volume detached') return info('reconciler_common.go', (line) => `Volume detached ${onNode(line)} DevicePath ""`)
  if (text === 'Operation failed. No retries permitted') return error('nestedpendingoperations.go', failedOperation)
  if (text.startsWith('There were many similar errors')) return error('kubelet_volumes.go', orphans)
  const [subject = '', verb] = text.split(' ')
  if (verb === 'started' && text.startsWith('operationExecutor.'))
    return info('reconciler_common.go', (line) => `${text} ${ofSubject(line, subject)}`)
  if (verb !== 'succeeded') return undefined
  if (subject === 'UnmountVolume.TearDown' || subject === 'UnmapVolume')
    return info('operation_generator.go', (line) => `${text} ${undone(line)}`)
  return info('operation_generator.go', (line) => `${text} ${ofSubject(line, subject)}`)
}

/** Whoever undoes a volume knows its pod by the UID alone. */
function ofSubject(line: Line, subject: string): string {
  if (/Device$/.test(subject) && subject.includes('Un')) return onNode(line)
  return subject.includes('Un') ? ofMounted(line) : toMount(line)
}

const named = ({volume, uniqueName}: Line): string => `for volume "${volume}" (UniqueName: "${uniqueName}")`
const onNode = (line: Line): string => `${named(line)} on node "${line.context.node}"`
const toMount = (line: Line): string => `${named(line)} pod "${nameOf(line.event)}" (UID: "${uidOf(line)}")`
const ofMounted = (line: Line): string => `${named(line)} pod "${uidOf(line)}" (UID: "${uidOf(line)}")`

const undone = (line: Line): string =>
  `for volume "${line.uniqueName}" (OuterVolumeSpecName: "${line.volume}") pod "${uidOf(line)}" (UID: "${uidOf(line)}"). InnerVolumeSpecName "${line.volume}". PluginName "kubernetes.io/csi", VolumeGidValue ""`

const nameOf = ({pod = ''}: LogEvent): string => pod.slice(pod.indexOf('/') + 1)
const uidOf = ({event: {pod}, context}: Line): string => (pod === undefined ? '' : context.uidOf(pod))

function failedOperation(line: Line): string {
  const {event, context, uniqueName} = line
  const {operation = '', durationBeforeRetry = 0, error: said = ''} = event.fields ?? {}
  const isUndone = `${operation}`.startsWith('un')
  // Of a mount the key has no pod, but where the volume is of one pod alone.
  const pod = event.pod !== undefined && (isUndone || isInlineHandle(uniqueName.replace(/^.*\^/, ''))) ? uidOf(line) : ''
  const key = context.old
    ? `"\\"${uniqueName}\\"${pod === '' ? '' : ` (\\"${pod}\\")`}"`
    : `"{volumeName:${uniqueName} podName:${pod} nodeName:}"`
  const about = event.pod === undefined ? onNode(line) : isUndone ? ofMounted(line) : toMount(line)
  const text = `${said}`.replace(/^(\S+(?: check)? (?:failed|initialization failed)):? ?/, `$1 ${about} : `)
  const until = new Date(event.at + Number(durationBeforeRetry)).toISOString().replace('T', ' ').replace('Z', ' +0000 UTC')
  const why = context.quotedErrors ? JSON.stringify(text) : text
  return `Operation for ${key} failed. No retries permitted until ${until} m=+1 (durationBeforeRetry ${Number(durationBeforeRetry) / 1000}s). Error: ${why}`
}

function orphans({event: {fields = {}}, context}: Line): string {
  const {err = '', numErrs = 1} = fields
  if (context.old) return `${err} : There were a total of ${numErrs} errors similar to this. Turn up verbosity to see them.`
  return `"There were many similar errors. Turn up verbosity to see them." err=${JSON.stringify(err)} numErrs=${numErrs}`
}
