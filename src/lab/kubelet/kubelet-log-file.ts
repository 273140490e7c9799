// The kubelet's log as a file, which is there as soon as the kubelet has said it. Upstream: klog
import {closeSync, openSync, writeSync} from 'node:fs'
import type {Profile} from '../../kubelet/profiles.ts'
import type {Timeline} from '../../timeline/timeline.ts'
import {kubeletLogTexts} from './kubelet-log-lines.ts'

export interface KubeletLogFile extends Disposable {
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
  // Open all the time, as a process has it: whoever removes the file ends nothing.
  const file = openSync(path, 'a', 0o600)
  let open = true
  const newTexts = kubeletLogTexts({profile, node, events: timeline.events, restarts, zoneOffset})
  const write = () => {
    const texts = newTexts(now())
    if (open && texts.length > 0) writeSync(file, `${texts.join('\n')}\n`)
  }
  return {
    log: (event) => {
      timeline.log(event)
      write()
    },
    started: (at) => {
      restarts.push(at)
      write()
    },
    [Symbol.dispose]: () => {
      open = false
      closeSync(file)
    },
  }
}
