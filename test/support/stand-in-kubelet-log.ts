// A kubelet's log as klog writes it. The sources and texts are those of 1.26.5 at -v=4, from the captures of fixtures/nodes.
import {appendFileSync} from 'node:fs'

export interface KubeletLog {
  readonly path: string
  readonly info: Write
  readonly error: Write
}

/** @param source such as 'csi_client.go:397'; `text` is all that follows the bracket. */
type Write = (source: string, text: string, at?: Date) => void

export function kubeletLog(path: string): KubeletLog {
  const write =
    (severity: string): Write =>
    (source, text, at = new Date()) =>
      appendFileSync(path, `${severity}${moment(at)} ${`${process.pid}`.padStart(7)} ${source}] ${text}\n`)
  return {path, info: write('I'), error: write('E')}
}

/** klog writes the local time and no year. */
function moment(at: Date): string {
  const two = (value: number) => `${value}`.padStart(2, '0')
  const day = two(at.getMonth() + 1) + two(at.getDate())
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':')
  return `${day} ${time}.${`${at.getMilliseconds()}`.padStart(3, '0')}000`
}
