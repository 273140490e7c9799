// The kubelet's log as a file, which is there as soon as the kubelet has said it. Upstream: klog
import {appendFileSync} from 'node:fs'
import type {Profile} from '../kubelet/profiles.ts'
import type {Timeline} from '../timeline/timeline.ts'
import {kubeletLogTexts} from './kubelet-log-lines.ts'

export interface KubeletLogFile {
  readonly path: string
  readonly log: Timeline['log']
  /** A kubelet starts. */
  started(at: number): void
}

export interface LogFileOptions {
  readonly path: string
  readonly profile: Profile
  readonly node: string
  /** Which has the API server's objects, too: lines name pods by their uids. */
  readonly timeline: Timeline
  readonly now: () => number
  /** Milliseconds to add to UTC. */
  readonly zoneOffset: number
}

export function kubeletLogFile({path, profile, node, timeline, now, zoneOffset}: LogFileOptions): KubeletLogFile {
  const restarts: number[] = []
  const newTexts = kubeletLogTexts({profile, node, events: timeline.events, restarts, zoneOffset})
  const write = () => {
    const texts = newTexts(now())
    if (texts.length > 0) appendFileSync(path, `${texts.join('\n')}\n`, {mode: 0o600})
  }
  return {
    path,
    log: (event) => {
      timeline.log(event)
      write()
    },
    started: (at) => {
      restarts.push(at)
      write()
    },
  }
}
