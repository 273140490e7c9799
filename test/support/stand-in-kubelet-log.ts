// A kubelet's log as klog writes it. The sources and texts are those of 1.26.5 at -v=4, from the captures of fixtures/nodes.
import {appendFileSync} from 'node:fs'

export interface KubeletLog {
  readonly path: string
  /** @param source such as 'csi_client.go:397'; `text` is all that follows the bracket. */
  readonly info: (source: string, text: string) => void
  readonly error: (source: string, text: string) => void
}

export function kubeletLog(path: string): KubeletLog {
  const write = (severity: string) => (source: string, text: string) =>
    appendFileSync(path, `${severity}${moment()} ${`${process.pid}`.padStart(7)} ${source}] ${text}\n`)
  return {path, info: write('I'), error: write('E')}
}

/** klog writes the local time and no year. */
function moment(): string {
  const now = new Date()
  const two = (value: number) => `${value}`.padStart(2, '0')
  const day = two(now.getMonth() + 1) + two(now.getDate())
  const time = [now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join(':')
  return `${day} ${time}.${`${now.getMilliseconds()}`.padStart(3, '0')}000`
}
