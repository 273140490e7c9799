// Lines of the kubelet's log: klog's text forms, old and structured, and its JSON form.

import {parseJsonLine} from './klog-json.ts'
import type {KubeletLogLine} from './klog-line.ts'
import {nearestYear, parseMessage} from './klog-text.ts'

export type {KubeletLogLine} from './klog-line.ts'

export interface KubeletLogOptions {
  /** Milliseconds since 1970: the moment of the capture, which tells the year. */
  readonly near: number
  /** How far the node's zone is ahead of UTC, in milliseconds. Default: 0. */
  readonly zoneOffset?: number
}

// What journalctl writes before a line (-o short, -precise, -iso, -full, -monotonic), and what a container runtime does.
const moment = [
  /[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?:\.\d+)?/,
  /(?:[A-Z][a-z]{2} )?\d{4}-\d\d-\d\d[T ][\d:.,]+ ?(?:[A-Z]{1,5}|[+-]\d\d:?\d\d)?/,
  /\[ *\d+\.\d+\]/,
]
const journal = new RegExp(String.raw`^(?:${moment.map(({source}) => source).join('|')}) \S+ [^\s[\]:]+(?:\[\d+\])?: `)
const runtime = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d) (?:stdout|stderr) [FP] /
const header = /^([IWEF])(\d\d)(\d\d) (\d\d):(\d\d):(\d\d)\.(\d{3})\d*\s+\d+ ([^\s\]]+:\d+)\] ?/
const severities = {I: 'info', W: 'warning', E: 'error', F: 'fatal'} as const

/**
 * The lines that klog wrote, in the order of the text. A line without a header is part of the one before when that one is unfinished or
 * when it is indented; else it is somebody else's and left out. Never throws.
 */
export function parseKubeletLog(text: string, options: KubeletLogOptions): KubeletLogLine[] {
  return records(text).flatMap((record) => (record.startsWith('{') ? parseJsonLine(record) : parseTextLine(record, options)) ?? [])
}

/** The lines put together that klog wrote at once, without what others wrote before them. */
function records(text: string): string[] {
  const found: string[][] = []
  let open = false
  for (const raw of text.split('\n')) {
    const line = raw.replace(/\r$/, '').replace(journal, '').replace(runtime, '')
    const last = found.at(-1)
    if (header.test(line) || line.startsWith('{"')) {
      found.push([line])
      open = line.endsWith('=<')
    } else if (last !== undefined && (open || /^\s+\S/.test(line))) {
      last.push(line)
      open = (open && line !== ' >' && !line.startsWith(' > ')) || line.endsWith('=<')
    }
  }
  return found.map((lines) => lines.join('\n'))
}

function parseTextLine(record: string, {near, zoneOffset = 0}: KubeletLogOptions): KubeletLogLine | undefined {
  const head = header.exec(record)
  if (head === null) return undefined
  const [whole, letter, month, day, hours, minutes, seconds, milliseconds, source] = head
  const at = nearestYear(near + zoneOffset, [month, day, hours, minutes, seconds, milliseconds].map(Number))
  return {
    ...(at !== undefined && {at: at - zoneOffset}),
    severity: severities[letter as keyof typeof severities],
    source: source ?? '',
    ...parseMessage(record.slice(whole.length)),
  }
}
