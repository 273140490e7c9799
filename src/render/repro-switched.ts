// A verdict that is another only since a switch was turned, in words.
import type {ReproReport, RunReport} from '../scenario/report.ts'

/** 'bug gone'; undefined where no switch explains it. */
export function switchWord({met, showed}: RunReport, {metadata: {switches}}: ReproReport): string | undefined {
  if (met || showed === undefined || switches.length === 0) return undefined
  return showed === 'fixed' ? 'bug gone' : 'bug back'
}

/** 'as expected of the fixed kubelet: the bug is gone with +ends-keep-exits' */
export function switchSentence(run: RunReport, report: ReproReport): string | undefined {
  const word = switchWord(run, report)
  if (word === undefined) return undefined
  const turned = report.metadata.switches.join(',')
  return word === 'bug gone'
    ? `as expected of the fixed kubelet: the bug is gone with ${turned}`
    : `as expected of a kubelet that has the bug: it is back with ${turned}`
}
