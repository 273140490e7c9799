// The kubelet's log of a run as klog writes it at its usual verbosity, read as the reader of src/node reads it.

import type {Profile} from '../kubelet/profiles.ts'
import {type KubeletLogLine, parseKubeletLog} from '../node/kubelet-log.ts'
import type {Event, LogEvent} from '../timeline/event.ts'
import {klogFormOf} from './klog-forms.ts'

/** Klog's key=value pairs came with 1.19; the parts of the kubelet that the lab has took them up by 1.21. */
const withoutPairs: readonly string[] = ['1.17.3', '1.18.2']

export function kubeletLogLines(events: readonly Event[], {version}: Profile, now: number): readonly KubeletLogLine[] {
  const old = withoutPairs.includes(version)
  const lines = events.flatMap((event) => (event.kind === 'log' ? lineOf(event, old) : []))
  return parseKubeletLog(lines.join('\n'), {near: now})
}

function lineOf(event: LogEvent, old: boolean): readonly string[] {
  const form = klogFormOf(event.text)
  if (form === undefined) return []
  const head = `${form.severity}${headerTime(event.at)}    1000 ${form.file}:1]`
  return [`${head} ${old ? (form.old?.(event) ?? oldText(event)) : structured(event)}`]
}

/** klog writes no year and no zone: the lab's is UTC. */
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
