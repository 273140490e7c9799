// What went into a bundle, what did not, and what was taken out of it.
import type {Redaction} from '../node/bundle/write.ts'
import {dataText} from './data.ts'
import {oneLine} from './escaped.ts'

export interface SnapshotView {
  readonly file: string
  /** Of all that is in it, before it was packed. */
  readonly bytes: number
  readonly read: readonly string[]
  readonly unseen: readonly {readonly source: string; readonly why: string}[]
  /** Calls with their answers, for `replay`. */
  readonly calls: number
  /** What was not asked, in words. */
  readonly unasked: readonly string[]
  readonly redactions: readonly Redaction[]
}

export async function renderSnapshot(report: SnapshotView, output: 'table' | 'json' | 'yaml'): Promise<string> {
  const {file, bytes, read, unseen, calls, unasked, redactions} = report
  if (output !== 'table')
    return dataText({apiVersion: 'kubelimbo/v1', kind: 'Snapshot', file, bytes, read, unseen, calls, unasked, redactions}, output)
  const taken = redactions.map(({file: where, rule, count}) => `  ${where}: ${count} × ${rule}`)
  const lines = [
    `${oneLine(file)}: ${read.length} sources, ${calls} calls that it can answer`,
    ...unasked.map((what) => `  ${oneLine(what)}`),
    ...(unseen.length === 0 ? [] : ['Not in it:', ...unseen.map(({source, why}) => `  ${source}: ${oneLine(why)}`)]),
    ...(taken.length === 0 ? ['Nothing had to be taken out.'] : ['Taken out:', ...taken]),
  ]
  return `${lines.join('\n')}\n`
}
