// The kubelet's log of a run as klog writes it at its usual verbosity, and read as the reader of src/node reads it.

import type {Profile} from '../../kubelet/profiles.ts'
import {type KubeletLogLine, parseKubeletLog} from '../../node/kubelet-log.ts'
import type {Event, LogEvent} from '../../timeline/event.ts'
import {type KlogForm, klogFormOf} from './klog-forms.ts'
import {type LogContext, volumeLine} from './volume-log-lines.ts'

/** Klog's key=value pairs came with 1.19; the parts of the kubelet that the lab has took them up by 1.21. */
const withoutPairs: readonly string[] = ['1.17.3', '1.18.2']

export interface LogOptions {
  readonly profile: Profile
  readonly node: string
  readonly events: readonly Event[]
  /** When the kubelet started again. */
  readonly restarts: readonly number[]
  /** klog writes local time; milliseconds to add to UTC. Default: 0 */
  readonly zoneOffset?: number
}

/** Each event is read once, when it is new: a log grows long, and who looks often has most of it already. */
export function kubeletLog(options: LogOptions): (now: number) => readonly KubeletLogLine[] {
  const newTexts = kubeletLogTexts(options)
  const lines: KubeletLogLine[] = []
  return (now) => {
    lines.push(...parseKubeletLog(newTexts(now).join('\n'), {near: now}))
    return [...lines]
  }
}

/** Each call gives the lines that have come since the last one. */
export function kubeletLogTexts({profile, node, events, restarts, zoneOffset = 0}: LogOptions): (now: number) => readonly string[] {
  const uids = new Map<string, string>()
  const {version} = profile
  const context: LogContext = {
    node,
    old: withoutPairs.includes(version),
    bareKeys: version === '1.17.3',
    quotedErrors: [...withoutPairs, '1.21.2'].includes(version),
    uidOf: (pod) => uids.get(pod) ?? '',
  }
  const local = (at: number) => at + zoneOffset
  let next = 0
  let started = 0
  return (now) => {
    const texts: string[] = []
    const tellStarts = (until: number) => {
      for (let at = restarts[started]; at !== undefined && at <= until; at = restarts[++started])
        texts.push(startLine(local(at), context.old))
    }
    for (let event = events[next]; event !== undefined; event = events[++next]) {
      tellStarts(event.at)
      if (event.kind === 'object') uids.set(event.pod, event.uid)
      if (event.kind === 'log') texts.push(...lineOf(event, context, local(event.at)))
    }
    tellStarts(now)
    return texts
  }
}

function lineOf(event: LogEvent, context: LogContext, at: number): readonly string[] {
  const volume = volumeLine(event, context)
  if (volume !== undefined) return [`${headOf(at, volume)} ${volume.message}`]
  const form = klogFormOf(event.text)
  if (form === undefined) return []
  return [`${headOf(at, form)} ${textOf(event, form, context.old)}`]
}

function textOf(event: LogEvent, {plain, old}: KlogForm, isOld: boolean): string {
  if (plain) return event.text
  return isOld ? (old?.(event) ?? oldText(event)) : structured(event)
}

/** The model does not say it: what the kubelet knew before is gone. */
function startLine(at: number, old: boolean): string {
  const text = 'Starting Kubelet Volume Manager'
  return `I${headerTime(at)}    1000 volume_manager.go:1] ${old ? text : JSON.stringify(text)}`
}

const headOf = (at: number, {severity, file}: KlogForm): string => `${severity}${headerTime(at)}    1000 ${file}:1]`

/** klog writes no year and no zone. */
function headerTime(at: number): string {
  const [, month, day, time, fraction] = /^\d+-(\d\d)-(\d\d)T([\d:]+)\.(\d+)Z$/.exec(new Date(at).toISOString()) ?? []
  return `${month}${day} ${time}.${fraction}000`
}

function structured({text, pod, fields = {}}: LogEvent): string {
  const pairs = Object.entries({...(pod === undefined ? {} : {pod}), ...fields}).map(([key, value]) => `${keyOf(key)}=${quoted(value)}`)
  return [JSON.stringify(text), ...pairs].join(' ')
}

/** What klog is given as an error has this key, whatever the caller calls it. */
const keyOf = (key: string): string => (key === 'error' ? 'err' : key)

const quoted = (value: unknown): string => (typeof value === 'string' ? JSON.stringify(value) : String(value))

function oldText({text, pod, fields = {}}: LogEvent): string {
  const told = Object.values(fields).map(String)
  return `${text}${pod === undefined ? '' : ` "${pod.replace(/^(.*)\/(.*)$/, '$2_$1')}"`}${told.length === 0 ? '' : `: ${told.join(', ')}`}`
}
