// A line of the kubelet's JSON log (component-base/logs/json).
import {readInstant} from '../base/instant.ts'
import type {KubeletLogLine} from './klog-line.ts'
import {type Fields, fieldsOf, textOf} from './kube-list.ts'

const severities = new Map<string, KubeletLogLine['severity']>([
  ['info', 'info'],
  ['warn', 'warning'],
  ['warning', 'warning'],
  ['error', 'error'],
  ['fatal', 'fatal'],
])

/** Undefined when the line is none of klog's, or so deeply nested that it cannot be written again. */
export function parseJsonLine(line: string): KubeletLogLine | undefined {
  try {
    return toLogLine(fieldsOf(JSON.parse(line)))
  } catch {
    return undefined
  }
}

function toLogLine(entry: Fields | undefined): KubeletLogLine | undefined {
  if (entry === undefined || typeof entry.msg !== 'string') return undefined
  const {ts, caller, msg, v, level, ...rest} = entry
  const at = readMoment(ts)
  return {
    ...(at !== undefined && {at}),
    // Errors have no verbosity; that is all that tells them apart.
    severity: severities.get(textOf(level)?.toLowerCase() ?? '') ?? (v === undefined ? 'error' : 'info'),
    source: textOf(caller)?.split('/').at(-1) ?? '',
    message: msg,
    fields: Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, asText(value)])),
  }
}

/** Milliseconds with a fraction; the first versions wrote seconds. 1e11 ms is in 1973, 1e11 s in 5138. */
function readMoment(ts: unknown): number | undefined {
  if (typeof ts === 'number') return Number.isFinite(ts) ? Math.floor(ts < 1e11 ? ts * 1000 : ts) : undefined
  return readInstant(ts)
}

/** A reference to an object as the text form writes it: namespace/name. */
function asText(value: unknown): string {
  if (typeof value === 'string') return value
  const reference = fieldsOf(value)
  const name = textOf(reference?.name)
  if (reference === undefined || name === undefined || Object.keys(reference).some((key) => key !== 'name' && key !== 'namespace')) {
    return JSON.stringify(value) ?? ''
  }
  const namespace = textOf(reference.namespace)
  return namespace === undefined ? name : `${namespace}/${name}`
}
